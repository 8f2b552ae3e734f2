namespace Orleans.Timers.Scalable;

/// <summary>Which timers of Orleans the library takes over. Read once, when the silo or client starts.</summary>
/// <remarks>
/// These properties, and those of <see cref="ScalableTimers.ScalableTimerOptions"/>, are also read from the section
/// <c>ScalableTimers</c> of the configuration, which wins over code: <c>ScalableTimers:Enabled</c>, or the environment
/// variable <c>ScalableTimers__Enabled</c>. So each can be turned off without a build. The line that is logged at the
/// start says what has been taken over.
/// </remarks>
public sealed class OrleansTimerOptions
{
    /// <summary>Gets or sets whether the library does anything at all.</summary>
    /// <value>The default is true.</value>
    /// <remarks>
    /// With false Orleans keeps its clocks, response timeouts and static timers. <c>IGrainDelay</c>,
    /// <c>WithTimeout</c>, <c>CallTimeout</c>, <c>GrainDeadline</c> and the attributes still work, on .NET's own
    /// timers, which fire up to some milliseconds early. Code that uses the <see cref="ScalableTimers.TimerService"/>
    /// itself keeps it.
    /// </remarks>
    public bool Enabled { get; set; } = true;

    /// <summary>
    /// Gets or sets whether the timer service drives the clocks of grains, reminders, durable jobs and transactions.
    /// </summary>
    /// <value>The default is true.</value>
    public bool DriveClocks { get; set; } = true;

    /// <summary>Gets or sets whether Orleans looks for response timeouts more often than once a second.</summary>
    /// <value>The default is true.</value>
    /// <remarks>
    /// A look then comes after each tenth of the shortest known response timeout, from 20 to 200 milliseconds. Looks
    /// become rarer while no call is outstanding, and while so many are that they would take more than a twentieth of
    /// a processor. An answer is still taken for a quarter of that time, at most 20 milliseconds, after its timeout.
    /// With false, response timeouts come up to a second late, as without scalable timers.
    /// </remarks>
    public bool PromptResponseTimeouts { get; set; } = true;

    /// <summary>
    /// Gets or sets whether a timer wheel serves Orleans' static timers, which time the phases of transactions.
    /// </summary>
    /// <value>The default is true. It has an effect where the package for transactions is.</value>
    /// <remarks>
    /// Served timers end on time; Orleans ends most of them early. Orleans no longer looks through all of them 20 times
    /// a second. The timers belong to the process, so they are served for all its silos while one that asks for it
    /// runs. The library reaches into internals of Orleans, after checking their shape. A version of Orleans with other
    /// internals keeps its timers, and the log says so.
    /// </remarks>
    public bool ServeStaticTimers { get; set; } = true;

    internal bool DrivesClocks => Enabled && DriveClocks;

    internal bool ChecksResponseTimeouts => Enabled && PromptResponseTimeouts;

    internal bool ServesStaticTimers => Enabled && ServeStaticTimers;

    /// <summary>Says that a part is turned off, and by which property.</summary>
    internal string LeftToOrleans(string property) =>
        $"left to Orleans ({nameof(OrleansTimerOptions)}.{(Enabled ? property : nameof(Enabled))} is false)";
}
