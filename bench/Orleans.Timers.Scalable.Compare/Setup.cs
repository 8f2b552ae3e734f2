namespace Orleans.Timers.Scalable.Compare;

/// <summary>The set-up of a measured cluster.</summary>
internal enum Setup
{
    Stock,
    Scalable,

    /// <summary>Like <see cref="Scalable"/>, but with checks every 20 milliseconds, whatever they cost.</summary>
    Every20ms,
}
