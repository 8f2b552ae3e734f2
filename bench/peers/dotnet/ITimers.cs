namespace ScalableTimers.Peer;

/// <summary>A kind of timer.</summary>
internal interface ITimers : IDisposable
{
    string Name { get; }

    /// <summary>
    /// Schedules a timer that nobody will cancel. Returns the object that must be kept alive so that it fires, or null.
    /// </summary>
    object? Schedule(TimerCallback callback, object? state, TimeSpan dueTime);

    /// <summary>
    /// Schedules timers of 30 seconds and cancels each at once. Returns how many were cancelled before they fired.
    /// </summary>
    int ScheduleThenCancel(TimerCallback callback, int count);
}
