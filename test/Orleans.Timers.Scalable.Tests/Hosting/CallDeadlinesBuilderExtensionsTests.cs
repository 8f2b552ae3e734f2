using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public sealed class CallDeadlinesBuilderExtensionsTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void AddCallDeadlines_Twice_RegistersOnce(bool silo)
    {
        using var host = silo
            ? TestHosts.Silo(static silo => silo.AddCallDeadlines().AddCallDeadlines())
            : TestHosts.Client(static client => client.AddCallDeadlines().AddCallDeadlines());

        Assert.Single(host.Services.GetServices<IOutgoingGrainCallFilter>().OfType<OutgoingDeadlineFilter>());
        Assert.Single(host.Services.GetServices<IIncomingGrainCallFilter>().OfType<IncomingDeadlineFilter>());
        Assert.Single(host.Services.GetServices<TimerService>());
    }

    [Fact]
    public void Counts_AskedForByAListener_AreTold()
    {
        using var counts = new DeadlineCounts("client");
        counts.CountRefusedAsCaller();
        counts.CountRefusedAsCallee();
        counts.CountRefusedAsCallee();
        counts.CountIgnored();
        var told = new Dictionary<(string, object?), long>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name == PluginMeter.Name)
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            var key = (instrument.Name, tags[0].Value);
            told[key] = Math.Max(value, told.GetValueOrDefault(key));
        });
        listener.Start();
        listener.RecordObservableInstruments();

        // Other silos and clients of the process may have counted too.
        Assert.True(told[("scalable_timers.deadlines.refused", "caller")] >= 1);
        Assert.True(told[("scalable_timers.deadlines.refused", "callee")] >= 2);
        Assert.True(told[("scalable_timers.deadlines.ignored", "client")] >= 1);
    }
}
