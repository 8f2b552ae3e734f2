namespace ScalableTimers.Peer;

/// <summary>A kind of timer.</summary>
internal interface ITimers : IDisposable
{
    string Name { get; }

    /// <summary>
    /// Schedules a timer that nobody will cancel. Returns what has to be kept so that it fires, if anything.
    /// </summary>
    object? Schedule(TimerCallback callback, object? state, TimeSpan dueTime);

    /// <summary>
    /// Schedules timers of 30 seconds and cancels each at once. Returns how many were cancelled before they fired.
    /// </summary>
    int ScheduleThenCancel(TimerCallback callback, int count);
}
