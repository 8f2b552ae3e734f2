namespace ScalableTimers;

/// <summary>The kind of call that created a pending timer.</summary>
public enum PendingTimerKind
{
    /// <summary><see cref="TimerService.Schedule"/>.</summary>
    Callback,

    /// <summary>
    /// <see cref="TimerService.Delay(TimeSpan, CancellationToken)"/> or
    /// <see cref="TimerService.TryDelay(TimeSpan, CancellationToken)"/>.
    /// </summary>
    Delay,

    /// <summary><see cref="TimerService.CreatePeriodicTimer"/>.</summary>
    Periodic,

    /// <summary>A timer of <see cref="TimerService.TimeProvider"/>, created by <c>Task.Delay</c> and others.</summary>
    TimeProvider,

    /// <summary><see cref="TimerService.GetTimeoutToken"/>: the timer behind a token that callers may share.</summary>
    TimeoutToken,
}
