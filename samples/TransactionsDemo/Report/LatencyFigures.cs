using TransactionsDemo.Load;

namespace TransactionsDemo.Report;

/// <summary>How long transfers took, in milliseconds.</summary>
internal sealed record LatencyFigures(double P50, double P99, double Max)
{
    public static LatencyFigures Of(LatencyHistogram latencies) => new(
        latencies.Percentile(0.5).TotalMilliseconds,
        latencies.Percentile(0.99).TotalMilliseconds,
        latencies.Max.TotalMilliseconds);
}
