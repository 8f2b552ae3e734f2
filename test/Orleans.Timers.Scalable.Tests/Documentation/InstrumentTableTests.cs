using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Deadlines;
using Orleans.Timers.Scalable.Transactions.Phases;
using ScalableTimers;
using ScalableTimers.Tests.Documentation;
using ScalableTimers.Tests.Metrics;

namespace Orleans.Timers.Scalable.Tests.Documentation;

/// <summary>The table of docs/metrics.md lists the plugin's instruments, with their units and meanings.</summary>
/// <remarks>It measures, and other tests listen to all silos of the process, so it runs after them.</remarks>
[Collection(typeof(Alone))]
public sealed class InstrumentTableTests
{
    private const string Meter = "Orleans.Timers.Scalable";

    [Fact]
    public void Page_OfThePlugin_ListsItsInstruments()
    {
        using var host = TestHosts.Silo(static silo => silo
            .AddScalableTimers()
            .AddCallCancellation()
            .UseTransactions()
            .ConfigureTransactionPhases());
        var factory = host.Services.GetRequiredService<IMeterFactory>();
        using var listener = new RecordingListener(instrument =>
            instrument.Meter.Name == Meter && ReferenceEquals(instrument.Meter.Scope, factory));
        host.Services.GetRequiredService<CallTimers>().CountTimeout();
        var deadlines = host.Services.GetRequiredService<CallDeadlines>().Counts;
        deadlines.CountRefused("", "", "");
        deadlines.CountIgnored();
        var phases = host.Services.GetRequiredService<TransactionPhases>().Metrics;
        phases.TimedOut(TransactionPhaseMetrics.Resolve);

        Assert.Equal(InstrumentTable.OfThePage(Meter), InstrumentTable.Of(listener));
    }
}
