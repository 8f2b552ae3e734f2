namespace ScalableTimers;

/// <summary>What a <see cref="TimerService"/> has done so far.</summary>
/// <remarks>
/// <see cref="Scheduled"/> is the sum of <see cref="Pending"/>, <see cref="InFlight"/>, <see cref="Fired"/>,
/// <see cref="Skipped"/>, <see cref="Cancelled"/> and <see cref="Dropped"/>. A timer disposed between expiring and
/// firing runs nothing, but is still counted in <see cref="Fired"/>.
/// </remarks>
public readonly record struct TimerServiceSnapshot
{
    /// <summary>Gets the number of timers that are scheduled and have neither expired nor been cancelled.</summary>
    public long Pending { get; init; }

    /// <summary>Gets how often a timer was scheduled. Each period counts; moving a pending timer does not.</summary>
    public long Scheduled { get; init; }

    /// <summary>Gets the number of timers that have expired and are not yet counted in another figure.</summary>
    /// <remarks>
    /// Their callbacks wait for a thread, are running, or have run in a batch that a worker has not finished. Timers
    /// that fire while the figures are read are included.
    /// </remarks>
    public long InFlight => long.Max(0, Scheduled - Pending - Fired - Skipped - Cancelled - Dropped);

    /// <summary>Gets how many callbacks have run, plus how many delays have elapsed.</summary>
    public long Fired { get; init; }

    /// <summary>Gets how often a timer was cancelled or stopped before it expired.</summary>
    public long Cancelled { get; init; }

    /// <summary>
    /// Gets how many firings of periodic timers were skipped, because the callback was still running or because a later
    /// firing had already come due.
    /// </summary>
    /// <remarks>Each moment on a timer's grid either fires or is counted here.</remarks>
    public long Skipped { get; init; }

    /// <summary>Gets how many callbacks and timers were dropped when the service was disposed.</summary>
    public long Dropped { get; init; }

    /// <summary>
    /// Gets how many callbacks threw, plus how many timeout tokens had a registered callback that threw.
    /// </summary>
    public long Failed { get; init; }

    /// <summary>Gets how many timers fired late because no pool thread was free for half a second or longer.</summary>
    /// <remarks>
    /// Includes timers queued behind blocking callbacks. Timers are counted when a thread picks them up, so the figure
    /// lags by as much as they do.
    /// </remarks>
    public long Late { get; init; }

    /// <summary>Gets how often the driver woke.</summary>
    public long DriverWakeUps { get; init; }

    /// <summary>Gets the number of per-thread queues.</summary>
    public int Queues { get; init; }

    /// <summary>Gets the number of shared timeout tokens that have not been cancelled yet.</summary>
    public int TimeoutTokens { get; init; }

    /// <summary>Gets whether a clock that makes its own timers, such as a test's, drives the service.</summary>
    public bool IsVirtualTime { get; init; }
}
