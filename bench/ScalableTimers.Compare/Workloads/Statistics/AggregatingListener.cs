using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>
/// Handles each measurement as an exporter of metrics does: finds the row of its tag, and adds under the row's lock.
/// </summary>
internal static class AggregatingListener
{
    internal static MeterListener Start(Instrument histogram)
    {
        var rows = new ConcurrentDictionary<object, Row>();
        var listener = new MeterListener();
        listener.SetMeasurementEventCallback<double>((_, value, tags, _) =>
        {
            var row = rows.GetOrAdd(tags[0].Value!, static _ => new Row());
            lock (row)
            {
                row.Add((long)(value * TimeSpan.TicksPerMillisecond));
            }
        });
        listener.EnableMeasurementEvents(histogram);
        listener.Start();
        return listener;
    }
}
