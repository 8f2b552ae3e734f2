namespace Orleans.Timers.Scalable;

/// <summary>What scalable timers do about the timers of Orleans itself. Read once, when the silo or client starts.</summary>
/// <remarks>How the timers keep time is <see cref="ScalableTimers.ScalableTimerOptions"/>.</remarks>
public sealed class OrleansTimerOptions
{
    /// <summary>Gets or sets whether the delays of Orleans' static timer manager, which time the phases of transactions, wait in a timer wheel.</summary>
    /// <value>The default is false.</value>
    /// <remarks>
    /// True ends them on time instead of mostly early, and saves Orleans looking through all of them 20 times a second. It reaches into
    /// internals of Orleans, after checking their shape, and holds for all silos and clients of the process while one that asks
    /// for it runs. A version of Orleans with other internals keeps its timers; the log says so.
    /// </remarks>
    public bool AdoptOrleansTimers { get; set; }

    /// <summary>What is wrong with the values, a sentence each that names the property, the value and the range.</summary>
#pragma warning disable CA1822 // As all options do.
    internal IEnumerable<string> Errors() => [];
#pragma warning restore CA1822
}
