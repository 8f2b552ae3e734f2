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
    /// <see cref="System.TimeProvider.CreateTimer"/> of <see cref="TimerService.TimeProvider"/>, or of the clock that
    /// was asked: <c>Task.Delay</c>, <c>CancellationTokenSource</c> and others call it.
    /// </summary>
    TimeProvider,

    /// <summary><see cref="TimerService.GetTimeoutToken"/>: the timer of a token that many callers may share.</summary>
    TimeoutToken,

    /// <summary>
    /// <see cref="TimerService.RentTimeout"/>: the timer of a lease that has not been disposed.
    /// </summary>
    RentedTimeout,
}
