using System.Globalization;

namespace ScalableTimers.Peer;

/// <summary>What one round took. Values that a workload has no use for are not a number.</summary>
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
