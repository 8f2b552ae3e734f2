using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using ScalableTimers.Firing;
using ScalableTimers.Tests.Clock;
using ScalableTimers.Tests.Firing;

namespace ScalableTimers.Tests.Metrics;

/// <summary>The histograms of lateness and of the wait for the pool.</summary>
public sealed class FiringHistogramTests : IDisposable
{
    private const string Lateness = "scalable_timers.lateness";
    private const string PoolWait = "scalable_timers.pool_wait";

    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    private readonly ServiceProvider _container = new ServiceCollection().AddMetrics().BuildServiceProvider();
    private readonly HandClock _clock = new();
    private readonly HandPool _pool = new();
    private readonly List<(string Instrument, string Tags, double Seconds)> _measured = [];

    public void Dispose() => _container.Dispose();

    // Calibrated by measuring every eighth timer, by the deadline of the first.
    [Fact]
    public void Lateness_OfABatch_IsMeasuredAtEverySixtyFourthTimer()
    {
        using var service = New(FiringMode.ThreadPool);
        using var listener = Listen();
        for (var i = 0; i < FiringBatch.Capacity; i++)
        {
            service.Schedule(_ => _clock.Skip(s_tick / 10), null, i < 64 ? s_tick : 2 * s_tick);
        }

        _clock.SkipAndRing(4 * s_tick);
        _clock.Skip(5 * s_tick);
        RunPool();

        // 64 callbacks of a millisecond lie between the two, and the second timer was due a tick later.
        var measured = Of(Lateness).ToList();
        Assert.Equal(2, measured.Count);
        Assert.Equal(0.064 - 0.01, measured[1] - measured[0], precision: 9);
        Assert.Equal(FiringBatch.Capacity, service.GetSnapshot().Fired);
    }

    // The first of a batch waits the least. Calibrated by measuring always the first: all were 0.05 s.
    [Fact]
    public void Lateness_OfBatchAfterBatch_IsMeasuredAtEveryPlaceAlike()
    {
        const int Timers = 8;
        const int Batches = 80;
        using var service = New(FiringMode.ThreadPool);
        using var listener = Listen();
        for (var batch = 0; batch < Batches; batch++)
        {
            for (var i = 0; i < Timers; i++)
            {
                service.Schedule(_ => _clock.Skip(s_tick / Timers), null, s_tick);
            }

            _clock.SkipAndRing(2 * s_tick);
            RunPool();
        }

        var places = Of(Lateness).GroupBy(static seconds => seconds).ToList();
        Assert.Equal(Timers, places.Count);
        Assert.All(places, static place => Assert.InRange(place.Count(), 8, 12));
    }

    [Fact]
    public void PoolWait_OfABatch_IsMeasuredForEachThreadThatComes()
    {
        using var service = New(FiringMode.ThreadPool);
        using var listener = Listen();
        service.Schedule(
            _ =>
            {
                _clock.Skip(s_tick);
                _pool.RunNext();
            },
            null,
            s_tick);
        service.Schedule(static _ => { }, null, s_tick);

        _clock.SkipAndRing(s_tick);
        _clock.Skip(5 * s_tick);
        RunPool();

        // The second thread comes while the first callback runs, and has measured first.
        Assert.Equal([0.06, 0.05], Of(PoolWait));
        Assert.Equal(TimeSpan.FromMilliseconds(60), service.GetSnapshot().LongestPoolWait);
    }

    [Fact]
    public void Lateness_InVirtualTime_IsMeasuredForEachTimer()
    {
        using var service = New(FiringMode.InOrder);
        using var listener = Listen();
        service.Schedule(static _ => { }, null, s_tick);
        service.Schedule(static _ => { }, null, 3 * s_tick);

        _clock.SkipAndRing(4 * s_tick);

        Assert.Equal([0.03, 0.01], Of(Lateness));
        Assert.Empty(Of(PoolWait));
    }

    [Fact]
    public void Histograms_HaveTheServicesNameAndBucketBoundaries()
    {
        var boundaries = new Dictionary<string, int>();
        using var service = New(FiringMode.ThreadPool, "named");
        using var listener = Listen(instrument =>
        {
            if (instrument is Histogram<double> histogram)
            {
                boundaries.Add(histogram.Name, histogram.Advice!.HistogramBucketBoundaries!.Count);
            }
        });
        service.Schedule(static _ => { }, null, s_tick);

        _clock.SkipAndRing(s_tick);
        RunPool();

        Assert.Equal([(Lateness, "service=named"), (PoolWait, "service=named")], _measured
            .Select(static one => (one.Instrument, one.Tags))
            .Order());
        Assert.Equal([(Lateness, 18), (PoolWait, 21)], boundaries.Select(static pair => (pair.Key, pair.Value)));
    }

    [Fact]
    public void Lateness_NobodyListens_ReadsNoClock()
    {
        using var service = New(FiringMode.ThreadPool);
        var readings = 0;
        service.Schedule(_ => _clock.Reading = null, null, s_tick);
        _clock.SkipAndRing(s_tick);

        _clock.Reading = () => readings++;
        RunPool();

        // One for the wait for the pool, which the snapshot shows.
        Assert.Equal(1, readings);
    }

    [Fact]
    public void Services_OfOneFactory_MeasureBoth()
    {
        using var first = New(FiringMode.InOrder, "first");
        using var second = New(FiringMode.InOrder, "second");
        using var listener = Listen();
        first.Schedule(static _ => { }, null, s_tick);
        second.Schedule(static _ => { }, null, s_tick);

        _clock.SkipAndRing(s_tick);

        Assert.Equal(["service=first", "service=second"], _measured.Select(static one => one.Tags).Order());
    }

    // Calibrated by not catching what the listener throws: the callbacks behind the first never ran.
    [Theory]
    [InlineData(FiringMode.InOrder)]
    [InlineData(FiringMode.ThreadPool)]
    public void Listener_ThrowsAndSetsAnAsyncLocal_AllFireAndNoneSeesIt(FiringMode firing)
    {
        var local = new AsyncLocal<string?>();
        using var service = New(firing);
        using var listener = Listen(
            null,
            () =>
            {
                local.Value = "leaked";
                throw new IOException("Thrown by the listener.");
            });
        var (fired, seen) = (0, 0);
        for (var i = 0; i < 100; i++)
        {
            service.Schedule(
                _ =>
                {
                    fired++;
                    seen += local.Value is null ? 0 : 1;
                },
                null,
                s_tick);
        }

        _clock.SkipAndRing(s_tick);
        RunPool();

        Assert.Equal((100, 0), (fired, seen));
        Assert.Equal((100L, 0L), (service.GetSnapshot().Fired, service.GetSnapshot().Failed));
    }

    // Calibrated by measuring before the callback runs: the first callback had not run when the listener blocked.
    [Fact]
    public void Listener_Blocks_AnotherThreadFiresTheRest()
    {
        using var service = New(FiringMode.ThreadPool);
        var (fired, firedWhileBlocked) = (0, 0);
        using var listener = Listen(
            null,
            () =>
            {
                if (_pool.Count > 0)
                {
                    _pool.RunNext();
                    firedWhileBlocked = fired;
                }
            });
        for (var i = 0; i < 100; i++)
        {
            service.Schedule(_ => fired++, null, s_tick);
        }

        _clock.SkipAndRing(s_tick);
        RunPool();

        Assert.Equal((100, 100), (fired, firedWhileBlocked));
    }

    [Fact]
    public void Listener_ThrowsWhenHistogramsArePublished_OthersGetMeasurements()
    {
        using var throwing = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (ReferenceEquals(instrument.Meter.Scope, Factory))
                {
                    throw new IOException("Thrown by the listener.");
                }
            },
        };
        throwing.Start();
        using var service = New(FiringMode.InOrder);
        throwing.InstrumentPublished = null;
        using var listener = Listen();
        service.Schedule(static _ => { }, null, s_tick);

        _clock.SkipAndRing(s_tick);

        Assert.Single(Of(Lateness));
    }

    private IMeterFactory Factory => _container.GetRequiredService<IMeterFactory>();

    private TimerService New(FiringMode firing, string? name = null)
    {
        var service = new TimerService(
            new() { Firing = firing, Name = name, Resolution = s_tick }, _clock, meterFactory: Factory);
        Services.SupplyBatches(service, _pool);
        return service;
    }

    private void RunPool()
    {
        while (_pool.Count > 0)
        {
            _pool.RunNext();
        }
    }

    private IEnumerable<double> Of(string instrument) =>
        _measured.Where(one => one.Instrument == instrument).Select(static one => Math.Round(one.Seconds, 9));

    private MeterListener Listen(Action<Instrument>? published = null, Action? measured = null)
    {
        var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (ReferenceEquals(instrument.Meter.Scope, Factory))
                {
                    published?.Invoke(instrument);
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<double>((instrument, seconds, tags, _) =>
        {
            _measured.Add((instrument.Name, $"{tags[0].Key}={tags[0].Value}", seconds));
            measured?.Invoke();
        });
        listener.Start();
        return listener;
    }
}
