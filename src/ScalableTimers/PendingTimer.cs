namespace ScalableTimers;

/// <summary>A timer that was pending when it was listed: <see cref="TimerService.GetPending"/>.</summary>
public readonly record struct PendingTimer
{
    /// <summary>Gets which call made the timer.</summary>
    public PendingTimerKind Kind { get; init; }

    /// <summary>
    /// Gets the time that was left until the timer expires, rounded up to a tick: zero if it is due, and -1 millisecond
    /// if it waits without end.
    /// </summary>
    public TimeSpan DueIn { get; init; }

    /// <summary>Gets the callback's method, with its type. Null for a delay, and if it is not known.</summary>
    /// <remarks>
    /// The name is for people to read, and may differ between versions. That of a lambda contains that of its method.
    /// Timers that .NET makes, such as that of <c>Task.Delay</c>, have callbacks of .NET.
    /// </remarks>
    public string? Method { get; init; }

    /// <summary>
    /// Gets the <see cref="Thread.ManagedThreadId"/> of the thread that scheduled the timer. Null if it is not known.
    /// </summary>
    /// <remarks>
    /// When a thread ends, another one takes over its timers, and is the one that is listed here. In virtual time all
    /// threads share the timers, and no thread is known.
    /// </remarks>
    public int? ThreadId { get; init; }

    /// <summary>Gets the name of that thread, if it has one.</summary>
    public string? ThreadName { get; init; }
}
