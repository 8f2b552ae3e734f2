using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using ScalableTimers.Statistics;
using ScalableTimers.Tests.Metrics;

namespace ScalableTimers.Tests.Documentation;

/// <summary>The tables of docs/metrics.md list the actual instruments with their units and meanings.</summary>
public sealed class InstrumentTableTests : IDisposable
{
    // As in a host, the factory keeps its meters by name, and disposes them with the container.
    private readonly ServiceProvider _container = new ServiceCollection().AddMetrics().BuildServiceProvider();

    public void Dispose() => _container.Dispose();

    [Fact]
    public async Task Page_OfTheTimerService_ListsItsInstruments()
    {
        await using var service = new TimerService(new(), logger: null, meterFactory: Factory);
        using var listener = Listen(TimerMetrics.MeterName);
        using var fired = new ManualResetEventSlim();
        service.Schedule(_ => fired.Set(), null, TimeSpan.FromMilliseconds(1));
        Wait.For(fired, "the callback");
        await Wait.For(service.Dispatcher.Workers.WaitForOthersAsync(), "the end of the batch");

        Assert.Equal(InstrumentTable.OfThePage(TimerMetrics.MeterName), InstrumentTable.Of(listener));
    }

    [Fact]
    public void Page_OfOperationStatistics_ListsTheirInstruments()
    {
        using var statistics = new OperationStatistics("documented", Factory);
        statistics.Add("Foo", TimeSpan.FromMilliseconds(1));
        using var listener = Listen(OperationMetrics.MeterName);

        Assert.Equal(InstrumentTable.OfThePage(OperationMetrics.MeterName), InstrumentTable.Of(listener));
    }

    private RecordingListener Listen(string meter) => new(
        instrument => ReferenceEquals(instrument.Meter.Scope, Factory) && instrument.Meter.Name == meter);

    private IMeterFactory Factory => _container.GetRequiredService<IMeterFactory>();
}
