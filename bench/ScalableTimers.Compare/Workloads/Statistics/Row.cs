namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>The figures of an operation in the original source, without a histogram.</summary>
internal class Row
{
    internal long Count;
    internal long Total;
    internal long Max;
    internal long Min = long.MaxValue;

    internal void Add(long duration)
    {
        Count++;
        Total += duration;
        Max = Math.Max(Max, duration);
        Min = Math.Min(Min, duration);
    }
}
