using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Deadlines;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

// Both tests failed while each owner created its own instruments on the factory's meter: the meter keeps the
// instruments alive, and the instruments keep their owner alive.
public sealed class CallMetricsTests : IDisposable
{
    // This is as in a host: the factory keeps its meters by name, and disposes them with the container.
    private readonly ServiceProvider _container = new ServiceCollection().AddMetrics().BuildServiceProvider();

    public void Dispose() => _container.Dispose();

    [Fact]
    public void Dispose_OneOfTwoOwners_OnlyTheOtherIsPublished()
    {
        using var timers = new TimerService();
        using var otherTimers = new TimerService();
        using var calls = CallTimeoutStatistics.Publish(timers, _container);
        using var otherCalls = CallTimeoutStatistics.Publish(otherTimers, _container);
        using var deadlines = new DeadlineCounts("client", Factory);
        using var otherDeadlines = new DeadlineCounts("client", Factory);
        otherDeadlines.CountIgnored();
        CallTimeoutStatistics.Of(otherTimers).OnTimedOut(new TaskCompletionSource().Task);
        Assert.Equal([0, 1], Measured("scalable_timers.calls.timed_out"));
        Assert.Equal([0, 1], Measured(DeadlineCounts.Ignored));

        calls.Dispose();
        deadlines.Dispose();

        Assert.Equal([1], Measured("scalable_timers.calls.timed_out"));
        Assert.Equal([1], Measured(DeadlineCounts.Ignored));
        otherCalls.Dispose();
        otherDeadlines.Dispose();
        Assert.Empty(Measured("scalable_timers.calls.timed_out"));
        Assert.Empty(Measured(DeadlineCounts.Refused));
    }

    [Fact]
    public void Counts_OfDeadlines_TellWhoRefusedAndWhereHeadersWereIgnored()
    {
        using var counts = new DeadlineCounts("client", Factory);
        counts.CountRefusedAsCaller();
        counts.CountRefusedAsCallee();
        counts.CountRefusedAsCallee();
        counts.CountIgnored();

        Assert.Equal([1], Measured(DeadlineCounts.Refused, "caller"));
        Assert.Equal([2], Measured(DeadlineCounts.Refused, "callee"));
        Assert.Equal([1], Measured(DeadlineCounts.Ignored, "client"));
    }

    [Fact]
    public void Owner_NotDisposed_IsCollectedThoughTheFactoryKeepsItsMeter()
    {
        var owners = Make();
        Garbage.CollectUntil(() => !owners.Any(static owner => owner.IsAlive));

        Assert.All(owners, static owner => Assert.False(owner.IsAlive));
        Assert.Empty(Measured("scalable_timers.calls.timed_out"));
        Assert.Empty(Measured(DeadlineCounts.Ignored));

        [MethodImpl(MethodImplOptions.NoInlining)]
        WeakReference[] Make()
        {
            var timers = new TimerService();
            var calls = CallTimeoutStatistics.Publish(timers, _container);
            var deadlines = new DeadlineCounts("client", Factory);
            timers.Dispose();
            return [new WeakReference(timers), new WeakReference(calls), new WeakReference(deadlines)];
        }
    }

    private IMeterFactory Factory => _container.GetRequiredService<IMeterFactory>();

    /// <summary>Reads an instrument of the factory's meters once, with a given first tag or any.</summary>
    private List<long> Measured(string name, string? tag = null)
    {
        var measured = new List<long>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (instrument.Name == name && ReferenceEquals(instrument.Meter.Scope, Factory))
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((_, value, tags, _) =>
        {
            if (tag is null || tag.Equals(tags[0].Value))
            {
                measured.Add(value);
            }
        });
        listener.Start();
        listener.RecordObservableInstruments();
        measured.Sort();
        return measured;
    }
}
