namespace Orleans.Timers.Scalable;

/// <summary>What scalable timers do about the timers of Orleans itself. Read once, when the silo or client starts.</summary>
/// <remarks>How the timers keep time is <see cref="ScalableTimers.ScalableTimerOptions"/>.</remarks>
public sealed class OrleansTimerOptions
{
    /// <summary>Gets or sets whether the delays of Orleans' static timer manager are served from a timer wheel.</summary>
    /// <value>The default is false.</value>
    public bool AdoptOrleansTimers { get; set; }

    /// <summary>What is wrong with the values, a sentence each that names the property, the value and the range.</summary>
#pragma warning disable CA1822 // As all options do.
    internal IEnumerable<string> Errors() => [];
#pragma warning restore CA1822
}
