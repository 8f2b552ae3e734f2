namespace ScalableTimers;

/// <summary>Which call made a pending timer.</summary>
public enum PendingTimerKind
{
    /// <summary><see cref="TimerService.Schedule"/>.</summary>
    Callback,

    /// <summary>
    /// <see cref="TimerService.Delay(TimeSpan, CancellationToken)"/> or <see cref="TimerService.TryDelay"/>.
    /// </summary>
    Delay,

    /// <summary><see cref="TimerService.CreateTimer"/>.</summary>
    Periodic,

    /// <summary>
    /// A timer of <see cref="TimerService.TimeProvider"/>, which <c>Task.Delay</c> and others create.
    /// </summary>
    TimeProvider,

    /// <summary><see cref="TimerService.GetTimeoutToken"/>: the timer of a token that many callers may share.</summary>
    TimeoutToken,
}
