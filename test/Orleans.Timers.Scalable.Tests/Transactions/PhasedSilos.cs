using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Two silos whose transaction phases are bounded and measured, with a storage that a test can delay. The client does
/// not use the plugin.
/// </summary>
[CollectionDefinition]
public sealed class PhasedSilos() : ClusterFixture(silos: 2), ICollectionFixture<PhasedSilos>
{
    internal static readonly TimeSpan Deadline = TimeSpan.FromSeconds(2);
    internal static readonly TimeSpan LockAcquisition = TimeSpan.FromSeconds(1);
    internal static readonly TimeSpan Prepare = TimeSpan.FromSeconds(1);

    /// <summary>A time that is longer than any wait of a test.</summary>
    internal static readonly TimeSpan LockHold = TimeSpan.FromMinutes(1);

    /// <summary>The measurements so far.</summary>
    internal PhaseListener Phases { get; } = new();

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        Phases.Dispose();
    }

    protected override void Configure(int number, ISiloBuilder silo)
    {
        silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions().AddScalableTimers();
        silo.AddIncomingGrainCallFilter(HeldWrites.Pass);
        silo.ConfigureTransactionPhases(static phases =>
        {
            phases.Deadline = Deadline;
            phases.LockAcquisition = LockAcquisition;
            phases.Abort = TimeSpan.FromSeconds(5);
        });
        silo.MeasureTransactionPhases();
        silo.Configure<TransactionalStateOptions>(static options =>
        {
            options.LockTimeout = LockHold;
            options.PrepareTimeout = Prepare;
            options.ConfirmationRetryDelay = TimeSpan.FromMilliseconds(100);
            options.RemoteTransactionPingFrequency = TimeSpan.FromSeconds(1);
        });

        // This is as if the wall clock had been set back. Orleans drops waiters by that clock, so only the plugin's
        // own bound is left.
        silo.Services.PostConfigure<TransactionalStateOptions>(
            static options => options.LockAcquireTimeout = LockHold);
    }
}

/// <summary>Keeps the measurements of the instruments of transaction phases.</summary>
internal sealed class PhaseListener : IDisposable
{
    private readonly ConcurrentQueue<(string Phase, string Silo, double Seconds)> _durations = new();
    private readonly ConcurrentDictionary<string, long> _timeouts = new();
    private readonly MeterListener _listener = new();

    public PhaseListener()
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Name is TransactionPhaseMetrics.DurationName or TransactionPhaseMetrics.TimeoutsName)
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<double>(
            (_, seconds, tags, _) => _durations.Enqueue((Tag(tags, "phase"), Tag(tags, "silo"), seconds)));
        _listener.SetMeasurementEventCallback<long>(
            (_, count, tags, _) => _timeouts.AddOrUpdate(Tag(tags, "phase"), count, (_, sum) => sum + count));
        _listener.Start();
    }

    /// <summary>The durations of a phase in a silo, or in all of them, the shortest first.</summary>
    internal IReadOnlyList<double> Durations(string phase, string? silo = null) =>
        [
            .. _durations.Where(measured => measured.Phase == phase && (silo is null || measured.Silo == silo))
                .Select(static measured => measured.Seconds)
                .Order(),
        ];

    internal long Timeouts(string phase) => _timeouts.GetValueOrDefault(phase);

    public void Dispose() => _listener.Dispose();

    private static string Tag(ReadOnlySpan<KeyValuePair<string, object?>> tags, string name) =>
        tags.ToArray().FirstOrDefault(tag => tag.Key == name).Value as string ?? "";
}
