using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable;

/// <summary>How a silo or client treats the deadlines of calls. Read once, when it starts.</summary>
public sealed class CallDeadlineOptions
{
    private static readonly TimeSpan s_shortestLimit = TimeSpan.FromMilliseconds(1);

    /// <summary>Gets or sets the longest budget that is accepted from a caller.</summary>
    /// <value>From 1 millisecond to 49 days. The default is 1 day.</value>
    /// <remarks>A request with a longer budget runs as if it had no deadline, and is counted.</remarks>
    public TimeSpan LongestBudget { get; set; } = TimeSpan.FromDays(1);

    /// <summary>
    /// Gets or sets whether the time that requests wait for their turn counts against their deadlines where it is
    /// known.
    /// </summary>
    /// <value>The default is true.</value>
    /// <remarks>
    /// The time is known if caller and callee both set this option, use the system's clock and drop expired messages
    /// (Orleans' default), and if they have the same response timeout or the method has one of its own. 16 milliseconds
    /// are subtracted for each machine that the message passed. With false, and where the time is not known, a budget
    /// runs from the moment when the request has its turn.
    /// </remarks>
    public bool CountTimeInQueues { get; set; } = true;

    /// <summary>
    /// Returns what is wrong with the values: a sentence for each error, with the property, the value and the range.
    /// </summary>
    internal IEnumerable<string> Errors()
    {
        var longest = DueTime.LongestTimer;
        if (LongestBudget < s_shortestLimit || LongestBudget > longest)
        {
            yield return
                $"{nameof(CallDeadlineOptions)}.{nameof(LongestBudget)} is {LongestBudget}; it must be from "
                    + $"{s_shortestLimit} to {longest}.";
        }
    }
}
