namespace ScalableTimers;

/// <summary>A pending timer, as listed by <see cref="TimerService.GetPending"/>.</summary>
public readonly record struct PendingTimer
{
    /// <summary>Gets the kind of call that created the timer.</summary>
    public PendingTimerKind Kind { get; init; }

    /// <summary>
    /// Gets the time that was left until the timer expires, rounded up to a tick: zero if it is due, -1 millisecond if
    /// it is infinite.
    /// </summary>
    public TimeSpan DueIn { get; init; }

    /// <summary>Gets the callback's type and method. Null for a delay, or if unknown.</summary>
    /// <remarks>
    /// The name is for people to read and may differ between versions. A lambda's name contains the name of its method.
    /// Timers that .NET creates, such as the one behind <c>Task.Delay</c>, have .NET's own callbacks.
    /// </remarks>
    public string? Method { get; init; }

    /// <summary>
    /// Gets the <see cref="Thread.ManagedThreadId"/> of the thread that scheduled the timer. Null if it is not known.
    /// </summary>
    /// <remarks>
    /// After a thread ends, another one takes over its timers and is listed here instead. In virtual time all threads
    /// share their timers, so the thread is unknown.
    /// </remarks>
    public int? ThreadId { get; init; }

    /// <summary>Gets the name of that thread, if it has one.</summary>
    public string? ThreadName { get; init; }
}
