using OpenTelemetry;
using OpenTelemetry.Metrics;
using ScalableTimers.Metrics;
using ScalableTimers.OpenTelemetry;
using ScalableTimers.Statistics;

namespace ScalableTimers.Tests.OpenTelemetry;

public sealed class InstrumentationTests
{
    [Fact]
    public void MeterProvider_WithInstrumentation_CollectsServicesAndStatistics()
    {
        List<string> meters = [];
        using var timers = new TimerService();
        using var statistics = new OperationStatistics("statistics");
        statistics.Add("operation", TimeSpan.FromSeconds(1));
        using var reader = new BaseExportingMetricReader(new NamesExporter(meters));
        using var provider = Sdk.CreateMeterProviderBuilder()
            .AddScalableTimersInstrumentation()
            .AddReader(reader)
            .Build();

        Assert.True(reader.Collect());

        Assert.Equal(
            [TimerMetrics.MeterName, OperationMetrics.MeterName], meters.Distinct().Order(StringComparer.Ordinal));
    }

    private sealed class NamesExporter(List<string> meters) : BaseExporter<Metric>
    {
        public override ExportResult Export(in Batch<Metric> batch)
        {
            foreach (var metric in batch)
            {
                meters.Add(metric.MeterName);
            }

            return ExportResult.Success;
        }
    }
}
