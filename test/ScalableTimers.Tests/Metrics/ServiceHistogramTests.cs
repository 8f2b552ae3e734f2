using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Firing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Metrics;

/// <summary>The histogram of lateness.</summary>
public sealed class ServiceHistogramTests : IDisposable
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    private readonly ServiceProvider _container = new ServiceCollection().AddMetrics().BuildServiceProvider();
    private readonly HandClock _clock = new();

    public void Dispose() => _container.Dispose();

    // Seen to fail when only every eighth timer is measured, by the deadline of the first.
    [Fact]
    public void Lateness_OfABatch_IsMeasuredAtEverySixtyFourthTimer()
    {
        using var service = New(false);
        using var listener = Listen();
        _clock.Skip(FiringBatch.Capacity * s_tick);
        Fire(service, FiringBatch.Capacity);

        var measured = Seconds(listener).Order().ToList();
        Assert.Equal(2, measured.Count);
        Assert.Equal(64 * s_tick.TotalSeconds, measured[1] - measured[0], precision: 9);
    }

    // The first of a batch waits the least. Seen to fail when the first is always measured: all were 0.05 s.
    [Fact]
    public void Lateness_OfManyBatches_SamplesEveryPositionEqually()
    {
        const int Timers = 8;
        const int Batches = 80;
        using var service = New(false);
        using var listener = Listen();
        _clock.Skip(Timers * s_tick);
        for (var number = 0; number < Batches; number++)
        {
            Fire(service, Timers);
        }

        var places = Seconds(listener).GroupBy(static seconds => seconds).ToList();
        Assert.Equal(Timers, places.Count);
        Assert.All(places, static place => Assert.InRange(place.Count(), 8, 12));
    }

    [Fact]
    public void Lateness_InVirtualTime_IsMeasuredForEachTimer()
    {
        using var service = New(true);
        using var listener = Listen();
        service.Schedule(static _ => { }, null, s_tick);
        service.Schedule(static _ => { }, null, 3 * s_tick);

        _clock.SkipAndRing(4 * s_tick);

        Assert.Equal([0.03, 0.01], Seconds(listener));
    }

    // Seen to fail when measured from where the timer was linked: 0.14 s.
    [Fact]
    public void Lateness_OfAPostponedTimer_CountsFromItsLastDueTime()
    {
        using var service = New(false);
        using var listener = Listen();
        using var fired = new ManualResetEventSlim();
        using var timer = service.TimeProvider.CreateTimer(_ => fired.Set(), null, s_tick, Timeout.InfiniteTimeSpan);
        timer.Change(10 * s_tick, Timeout.InfiniteTimeSpan);

        _clock.SkipAndRing(15 * s_tick);
        Wait.For(fired, "the timer");
        Wait.Until(() => Seconds(listener).Any(), "the measurement");

        Assert.Equal([0.05], Seconds(listener));
    }

    // Seen to fail without catching what the listener throws: the callbacks behind the first never ran.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Listener_ThrowsAndSetsAnAsyncLocal_AllFireAndNoneSeesIt(bool isOrdered)
    {
        var local = new AsyncLocal<string?>();
        using var service = New(isOrdered);
        using var listener = Listen(() =>
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
                    Interlocked.Increment(ref fired);
                    Interlocked.Add(ref seen, local.Value is null ? 0 : 1);
                },
                null,
                s_tick);
        }

        _clock.SkipAndRing(s_tick);
        await Wait.For(service.DisposeAsync().AsTask(), "the callbacks");

        Assert.Equal((100, 0), (fired, seen));
        Assert.Equal((100L, 0L), (service.GetSnapshot().Fired, service.GetSnapshot().Failed));
    }

    // Seen to fail when measuring before the callback: the first callback had not run when the listener blocked.
    [Fact]
    public void Listener_Blocks_AnotherThreadFiresTheRest()
    {
        using var service = New(false);
        using var fired = new CountdownEvent(100);
        using var listener = Listen(() => Wait.For(fired, "all callbacks while the listener blocks"));
        var batch = NewBatch(service, 100, () => fired.Signal());

        batch.Start(now: default);

        Wait.For(fired, "all callbacks");
    }

    private IMeterFactory Factory => _container.GetRequiredService<IMeterFactory>();

    private TimerService New(bool isOrdered) =>
        new(
            new() { Resolution = s_tick, CallbackExceptions = CallbackExceptions.Log },
            _clock,
            NullLogger.Instance,
            Factory,
            isOrdered);

    private static FiringBatch NewBatch(TimerService service, int count, Action callback)
    {
        var batch = service.Dispatcher.Rent();
        for (var i = 0; i < count; i++)
        {
            batch.Add(new FiringItem(_ => callback(), null));
        }

        return batch;
    }

    /// <summary>Fires a batch whose items were due at different ticks, and waits for it.</summary>
    private static void Fire(TimerService service, int count)
    {
        var before = service.Dispatcher.Fired;
        var batch = service.Dispatcher.Rent();
        for (var i = 0; i < count; i++)
        {
            batch.Add(new FiringItem(static _ => { }, null), deadlineTick: i);
        }

        batch.Start(now: default);
        Wait.Until(() => service.Dispatcher.Fired == before + count, "the batch");
    }

    private static IEnumerable<double> Seconds(RecordingListener listener) =>
        listener.Measurements.Select(static one => Math.Round(one.Value, 9));

    private RecordingListener Listen(Action? measured = null) =>
        new(instrument => ReferenceEquals(instrument.Meter.Scope, Factory), measured);
}
