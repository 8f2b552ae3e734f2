namespace Orleans.Timers.Scalable.Compare;

/// <summary>What a cluster is measured with.</summary>
internal enum Setup
{
    Stock,
    Scalable,

    /// <summary>As <see cref="Scalable"/>, but with checks every 20 milliseconds whatever they cost.</summary>
    Every20ms,
}
