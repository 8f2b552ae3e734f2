using System.Globalization;

namespace ScalableTimers.Peer;

/// <summary>The measurement of one round. Values that a workload does not use are NaN.</summary>
internal sealed record Result
{
    public double WallNanoseconds { get; init; } = double.NaN;

    public double ProcessorNanoseconds { get; init; } = double.NaN;

    public double Bytes { get; init; } = double.NaN;

    public double Early { get; init; } = double.NaN;

    public double LateP50 { get; init; } = double.NaN;

    public double LateP99 { get; init; } = double.NaN;

    public double LateP999 { get; init; } = double.NaN;

    public double LateMax { get; init; } = double.NaN;

    internal string Line(string workload, string name)
    {
        double[] values = [WallNanoseconds, ProcessorNanoseconds, Bytes, Early, LateP50, LateP99, LateP999, LateMax];
        return $"{workload} {name} "
            + string.Join(' ', values.Select(
                static value => double.IsNaN(value) ? "-" : value.ToString("0.0000", CultureInfo.InvariantCulture)));
    }
}
