namespace Orleans.Timers.Scalable;

/// <summary>Options for the timers of Orleans itself. They are read once, when the silo or client starts.</summary>
/// <remarks>The timer service has options of its own: <see cref="ScalableTimers.ScalableTimerOptions"/>.</remarks>
public sealed class OrleansTimerOptions
{
    private const string ServeSwitch = "Orleans.Timers.Scalable.ServeStaticTimers";
    private static readonly TimeSpan s_shortestCheck = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_longestCheck = TimeSpan.FromSeconds(1);

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

    /// <summary>Gets or sets the least time between two checks of outstanding calls for response timeouts.</summary>
    /// <value>
    /// From 1 millisecond to 1 second, and at most <see cref="LongestResponseTimeoutCheck"/>. The default is 20
    /// milliseconds.
    /// </value>
    /// <remarks>
    /// A check comes after each tenth of the shortest known response timeout, but not more often than this value says.
    /// With a smaller value, timeouts below ten times this value end closer to their time, and each check wakes a pool
    /// thread.
    /// </remarks>
    public TimeSpan ShortestResponseTimeoutCheck { get; set; } = TimeSpan.FromMilliseconds(20);

    /// <summary>Gets or sets the most time between two checks of outstanding calls for response timeouts.</summary>
    /// <value>
    /// From <see cref="ShortestResponseTimeoutCheck"/> to 1 second, which is what Orleans does. The default is 200
    /// milliseconds.
    /// </value>
    /// <remarks>
    /// Checks become rarer, down to one in this time, while no call is outstanding, and while so many calls are
    /// outstanding that the checks would take more than a twentieth of a processor. No response timeout is later than
    /// this time and one check, however many calls there are. With both values at one second response timeouts are as
    /// without scalable timers.
    /// </remarks>
    public TimeSpan LongestResponseTimeoutCheck { get; set; } = TimeSpan.FromMilliseconds(200);

    /// <summary>
    /// Returns what is wrong with the values: a sentence for each error, with the property, the value and the range.
    /// </summary>
    internal IEnumerable<string> Errors()
    {
        if (ShortestResponseTimeoutCheck < s_shortestCheck || ShortestResponseTimeoutCheck > s_longestCheck)
        {
            yield return OutOfRange(
                nameof(ShortestResponseTimeoutCheck),
                ShortestResponseTimeoutCheck,
                $"{s_shortestCheck}");
        }
        else if (LongestResponseTimeoutCheck < ShortestResponseTimeoutCheck
            || LongestResponseTimeoutCheck > s_longestCheck)
        {
            yield return OutOfRange(
                nameof(LongestResponseTimeoutCheck),
                LongestResponseTimeoutCheck,
                $"{nameof(ShortestResponseTimeoutCheck)} ({ShortestResponseTimeoutCheck})");
        }
    }

    private static string OutOfRange(string property, TimeSpan value, string least) =>
        $"{nameof(OrleansTimerOptions)}.{property} is {value}; it must be from {least} to {s_longestCheck}.";
}
