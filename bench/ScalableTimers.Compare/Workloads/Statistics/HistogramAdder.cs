using System.Diagnostics.Metrics;

namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>.NET's metrics, with the operation as a tag.</summary>
internal readonly struct HistogramAdder(Histogram<double> histogram) : IAdder
{
    private static readonly object[] s_operations =
    [
        .. Enumerable.Range(0, OperationAdds.Operations).Select(static i => $"operation {i}")
    ];

    public void Add(int operation, long duration) =>
        histogram.Record(
            (double)duration / TimeSpan.TicksPerMillisecond,
            new KeyValuePair<string, object?>("operation", s_operations[operation]));
}
