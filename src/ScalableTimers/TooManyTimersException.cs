namespace ScalableTimers;

/// <summary>
/// A timer was refused, because as many timers were pending as <see cref="ScalableTimerOptions.MaxPending"/> allows.
/// </summary>
/// <remarks><see cref="TimerService.GetPending"/> tells which code made them.</remarks>
public sealed class TooManyTimersException : InvalidOperationException
{
    /// <summary>Creates the exception without a message of its own.</summary>
    public TooManyTimersException()
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">What has happened.</param>
    public TooManyTimersException(string message)
        : base(message)
    {
    }

    /// <summary>Creates the exception.</summary>
    /// <param name="message">What has happened.</param>
    /// <param name="innerException">Why.</param>
    public TooManyTimersException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    internal TooManyTimersException(string service, long pending, long limit)
        : base(
            $"The timer service \"{service}\" has refused a timer: {pending} are pending, and "
            + $"{nameof(ScalableTimerOptions)}.{nameof(ScalableTimerOptions.MaxPending)} is {limit}. "
            + $"{nameof(TimerService)}.{nameof(TimerService.GetPending)} tells which code made them.")
    {
        Pending = pending;
        Limit = limit;
    }

    /// <summary>Gets how many timers were pending.</summary>
    public long Pending { get; }

    /// <summary>Gets how many may be.</summary>
    public long Limit { get; }
}
