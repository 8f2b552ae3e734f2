namespace Orleans.Timers.Scalable;

/// <summary>Options for the timers of Orleans itself. They are read once, when the silo or client starts.</summary>
/// <remarks>The timer service has options of its own: <see cref="ScalableTimers.ScalableTimerOptions"/>.</remarks>
public sealed class OrleansTimerOptions
{
    private const string ServeSwitch = "Orleans.Timers.Scalable.ServeStaticTimers";

    /// <summary>
    /// Gets or sets whether a timer wheel serves Orleans' static timers, which time the phases of transactions.
    /// </summary>
    /// <value>
    /// The default is true, or the value of the process' <see cref="AppContext"/> switch
    /// <c>Orleans.Timers.Scalable.ServeStaticTimers</c>, which a project file or <c>runtimeconfig.json</c> may set.
    /// </value>
    /// <remarks>
    /// Served timers end on time; Orleans ends most of them early. Orleans no longer looks through all of them 20 times
    /// a second. The timers belong to the process, so they are served for all its silos and clients while one that asks
    /// for it runs. The library reaches into internals of Orleans, after checking their shape. A version of Orleans
    /// with other internals keeps its timers, and the log says so.
    /// </remarks>
    public bool ServeStaticTimers { get; set; } = !AppContext.TryGetSwitch(ServeSwitch, out var isOn) || isOn;

    /// <summary>Gets or sets whether Orleans looks for response timeouts more often than once a second.</summary>
    /// <value>The default is true.</value>
    /// <remarks>
    /// A look then comes after each tenth of the shortest known response timeout, from 20 to 200 milliseconds. Looks
    /// become rarer while no call is outstanding, and while so many are that they would take more than a twentieth of
    /// a processor. With false, response timeouts come up to a second late, as without scalable timers.
    /// </remarks>
    public bool PromptResponseTimeouts { get; set; } = true;
}
