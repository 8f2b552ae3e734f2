namespace ScalableTimers;

/// <summary>
/// What a <see cref="TimerService"/> has done so far. The figures are read one after the other while timers go on.
/// </summary>
/// <remarks>
/// While nothing goes on, <see cref="Scheduled"/> is the sum of <see cref="Pending"/>, <see cref="Fired"/>,
/// <see cref="Skipped"/>, <see cref="Cancelled"/>, <see cref="Dropped"/> and <see cref="HandedOver"/>. A timer disposed
/// between expiring and firing runs nothing, and is among <see cref="Fired"/> all the same.
/// </remarks>
public readonly record struct TimerServiceSnapshot
{
    /// <summary>Gets the number of timers that are scheduled and have neither expired nor been cancelled.</summary>
    public long Pending { get; init; }

    /// <summary>Gets how often a timer was scheduled, each rescheduling and each period counted.</summary>
    public long Scheduled { get; init; }

    /// <summary>
    /// Gets how many callbacks have run and delays have completed by their due time. A pool worker adds what it has
    /// fired when it is done with its batch.
    /// </summary>
    public long Fired { get; init; }

    /// <summary>Gets how often a timer was cancelled, stopped or rescheduled before it expired.</summary>
    public long Cancelled { get; init; }

    /// <summary>
    /// Gets how many firings of timers of <see cref="TimerService.CreateTimer"/> were left out, because the callback
    /// was still running or because a later one had come.
    /// </summary>
    /// <remarks>
    /// Each moment on a timer's grid is a firing or counted here. Timers of the time provider are not counted.
    /// </remarks>
    public long Skipped { get; init; }

    /// <summary>
    /// Gets how many scheduled callbacks, and timers of <see cref="TimerService.CreateTimer"/>, were dropped when the
    /// service was disposed.
    /// </summary>
    public long Dropped { get; init; }

    /// <summary>
    /// Gets how many pending timers of the time provider were handed to the clock when the service was disposed.
    /// </summary>
    public long HandedOver { get; init; }

    /// <summary>
    /// Gets how many callbacks threw. Each was logged, and is among <see cref="Fired"/> unless it came after the timer
    /// was handed to the clock.
    /// </summary>
    public long Failed { get; init; }

    /// <summary>Gets how many timers fired late because no pool thread was free for half a second or longer.</summary>
    /// <remarks>
    /// Also those behind callbacks that block. They are counted when a thread comes for them, so the figure is late as
    /// they are.
    /// </remarks>
    public long Late { get; init; }

    /// <summary>Gets the longest time that expired timers have waited for a pool thread.</summary>
    public TimeSpan LongestPoolWait { get; init; }

    /// <summary>Gets the longest time by which the driver took a timer out after its deadline.</summary>
    public TimeSpan LongestDriverLag { get; init; }

    /// <summary>Gets how often the driver woke.</summary>
    public long DriverWakeUps { get; init; }

    /// <summary>Gets the number of per-thread collections.</summary>
    public int Collections { get; init; }

    /// <summary>Gets the number of shared timeout tokens whose time has not come, those made ahead included.</summary>
    public int TimeoutTokens { get; init; }

    /// <summary>
    /// Gets how many registrations with tokens of timeouts, shared, rented or of calls, threw when the time came. Each
    /// was logged.
    /// </summary>
    public long FailedRegistrations { get; init; }
}
