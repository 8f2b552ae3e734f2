namespace Orleans.Timers.Scalable;

/// <summary>Which of Orleans' timers the library takes over. Read once, when the silo or client starts.</summary>
/// <remarks>
/// These properties, and those of <see cref="ScalableTimers.TimerServiceOptions"/>, can also be set in the
/// <c>ScalableTimers</c> section of the configuration, which wins over code: <c>ScalableTimers:Enabled</c>, or the
/// environment variable <c>ScalableTimers__Enabled</c>. So each can be turned off without a build. A line logged at the
/// start says what has been taken over.
/// </remarks>
public sealed class OrleansTimerOptions
{
    /// <summary>Gets or sets whether the library does anything at all.</summary>
    /// <value>The default is true.</value>
    /// <remarks>
    /// If false, all that has been registered passes through to Orleans: clocks, response timeouts, static timers, call
    /// filters, and what <c>ConfigureTransactionPhases</c> decorates and sets. <c>IGrainDelay</c> and
    /// <c>WithTimeout</c> still work, on .NET's timers, which fire up to some milliseconds early. A
    /// <c>CallDeadline</c> may begin, but bounds no call. A line logged at the start says what is lost. Code that uses
    /// <see cref="ScalableTimers.TimerService"/> directly is not affected.
    /// </remarks>
    public bool Enabled { get; set; } = true;

    /// <summary>
    /// Gets or sets whether the timer service drives the clocks of grains, reminders, durable jobs and transactions.
    /// </summary>
    /// <value>The default is true.</value>
    public bool DriveClocks { get; set; } = true;

    /// <summary>Gets or sets whether Orleans checks for response timeouts more often than once a second.</summary>
    /// <value>The default is true.</value>
    /// <remarks>
    /// It then checks at intervals of a tenth of the shortest known response timeout, between 20 and 200 milliseconds.
    /// An answer is still accepted for a quarter of that interval, at most 20 milliseconds, after its timeout. Checks
    /// are rarer while no call is outstanding, or while they would take more than a twentieth of a processor. If false,
    /// response timeouts come up to a second late, as without scalable timers.
    /// </remarks>
    public bool PromptResponseTimeouts { get; set; } = true;

    /// <summary>
    /// Gets or sets whether a timer wheel serves Orleans' static timers, which time the phases of transactions.
    /// </summary>
    /// <value>The default is true. It has an effect only with the package for transactions.</value>
    /// <remarks>
    /// Served timers end on time; Orleans ends most of them early. Orleans no longer scans all of them 20 times a
    /// second. The timers belong to the process, so they are served for all its silos while one that asks for it runs.
    /// The library reaches into Orleans' internals, after checking their shape. If they differ, Orleans keeps its
    /// timers, and the log says so.
    /// </remarks>
    public bool ServeStaticTimers { get; set; } = true;

    /// <summary>Gets or sets whether a grain method's token is cancelled when its caller's time is up.</summary>
    /// <value>The default is true. It has an effect only with <c>AddCallCancellation</c>.</value>
    public bool CancelTokensAtDeadline { get; set; } = true;

    /// <summary>Gets or sets whether a grain method's token is cancelled when its activation deactivates.</summary>
    /// <value>The default is true. It has an effect only with <c>AddCallCancellation</c>.</value>
    public bool CancelTokensAtDeactivation { get; set; } = true;

    internal bool ChecksResponseTimeouts => Enabled && PromptResponseTimeouts;

    internal bool ServesStaticTimers => Enabled && ServeStaticTimers;

    /// <summary>Says that a part is turned off, and by which property.</summary>
    internal string LeftToOrleans(string property) =>
        $"left to Orleans ({nameof(OrleansTimerOptions)}.{(Enabled ? property : nameof(Enabled))} is false)";
}
