using System.Diagnostics.Metrics;

namespace ScalableTimers.Tests.Faults;

/// <summary>
/// A clock fails once while the driver works, or uses the service there. Nothing stops for good.
/// </summary>
public sealed class ClockRecoveryTests : IDisposable
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly FaultyClock _clock = new();
    private readonly TimerService _service;
    private int _fired;

    public ClockRecoveryTests() => _service = new TimerService(clock: _clock);

    public static TheoryData<int, bool> Readings { get; } =
    [
        .. Enumerable.Range(1, 8).SelectMany(static reading => new[] { (reading, false), (reading, true) })
    ];

    public void Dispose() => _service.Dispose();

    // The driver's wake-up tick was lowered, but the clock's timer was not set. Later timers would rely on a wake-up
    // that does not come.
    [Fact]
    public void Change_ThrowsOnce_TheNextTimerFires()
    {
        Schedule(TimeSpan.FromHours(1));
        _clock.BeforeChanging = FaultyClock.ThrowOnce();
        var thrown = Record.Exception(() => Schedule(s_second));

        Schedule(s_second);
        _clock.Advance(s_second);

        // The call that failed may or may not have scheduled its timer, but the service's count is the number of
        // firings.
        Assert.True(thrown is null or InsufficientMemoryException, $"{thrown}");
        Assert.InRange(_fired, 1, 2);
        Assert.Equal(_fired, _service.GetSnapshot().Fired);
    }

    [Fact]
    public void Change_ThrowsOnce_ANearerTimerOfAnotherThreadFires()
    {
        _clock.BeforeChanging = FaultyClock.ThrowOnce();
        _ = Record.Exception(() => Schedule(s_second));

        Wait.ForThread(() => Schedule(s_second / 2));
        _clock.Advance(s_second);

        Assert.InRange(_fired, 1, 2);
    }

    // The alarm has rung and is not set again. Without a remedy nothing would wake the driver any more.
    [Fact]
    public void GetTimestamp_ThrowsWhenTheDriverWakes_TheNextTimerFiresAndSoDoesTheLateOne()
    {
        Schedule(s_second);
        _clock.BeforeReading = FaultyClock.ThrowOnce();
        _ = Record.Exception(() => _clock.Advance(s_second));

        Schedule(s_second);
        _clock.Advance(s_second);

        Assert.Equal(2, _fired);
    }

    [Fact]
    public void Change_ThrowsOnceForAnotherThread_ALaterTimerOfThisOneSetsTheClockForBoth()
    {
        using var fired = new CountdownEvent(1);
        using var service = new TimerService(new ScalableTimerOptions { Firing = FiringMode.ThreadPool }, _clock);
        _ = service.Schedule(static _ => { }, null, s_second * 2);
        _clock.BeforeChanging = FaultyClock.ThrowOnce();
        Wait.ForThread(
            () =>
                Assert.Throws<InsufficientMemoryException>(
                    () => _ = service.Schedule(_ => fired.Signal(), null, s_second)));
        _clock.Advance(s_second / 2);

        _ = service.Schedule(static _ => { }, null, s_second * 2);
        _clock.Advance(s_second / 2);

        Wait.For(fired, "the timer whose scheduling failed");
    }

    // Whichever reading fails, the timers that were taken out fire at once, and the rest fires when the clock rings
    // again.
    [Theory]
    [MemberData(nameof(Readings))]
    public async Task GetTimestamp_ThrowsWhileTheDriverServes_EveryTimerFires(int reading, bool onThreadPool)
    {
        using var fired = new CountdownEvent(3);
        var service = new TimerService(
            new ScalableTimerOptions { Firing = onThreadPool ? FiringMode.ThreadPool : FiringMode.Auto }, _clock);
        foreach (var dueTime in new[] { s_second, s_second, s_second * 2 })
        {
            Wait.ForThread(() => _ = service.Schedule(_ => fired.Signal(), null, dueTime));
        }

        var driver = Environment.CurrentManagedThreadId;
        _clock.BeforeReading = () =>
        {
            if (Environment.CurrentManagedThreadId == driver && --reading == 0)
            {
                throw new InsufficientMemoryException("Thrown by the test.");
            }
        };
        var thrown = Record.Exception(() => _clock.Advance(s_second));
        _clock.BeforeReading = null;
        Assert.Equal(reading <= 0, thrown is InsufficientMemoryException);
        _clock.Advance(s_second);

        Wait.For(fired, "every timer");
        await Wait.For(service.DisposeAsync().AsTask(), "the disposal");
        var counted = service.GetSnapshot();
        Assert.Equal((3L, 0L, 0L), (counted.Fired, counted.Failed, counted.Pending));
    }

    // Without a guard the exception ended the process, because nobody can catch it on a thread of the pool.
    [Fact]
    public void GetTimestamp_ThrowsOnAThreadOfThePool_TimersFireAndOnlyTheirWaitIsNotCounted()
    {
        using var fired = new CountdownEvent(2);
        using var service = new TimerService(new ScalableTimerOptions { Firing = FiringMode.ThreadPool }, _clock);
        for (var i = 0; i < 2; i++)
        {
            _ = service.Schedule(_ => fired.Signal(), null, s_second);
        }

        _clock.BeforeReading = static () =>
        {
            if (Thread.CurrentThread.IsThreadPoolThread)
            {
                throw new InsufficientMemoryException("Thrown by the test.");
            }
        };
        Wait.ForThread(() => _clock.Advance(s_second));

        Wait.For(fired, "both timers");
        Assert.Equal((0L, TimeSpan.Zero), (service.GetSnapshot().Late, service.GetSnapshot().LongestPoolWait));
    }

    // The outer call sets the alarm last. Its time is the later one.
    [Fact]
    public void Change_UsesTheService_WhatItSchedulesFiresInTime()
    {
        var firedAt = TimeSpan.Zero;
        var begin = _clock.GetTimestamp();
        _clock.BeforeChanging = () =>
        {
            _clock.BeforeChanging = null;
            _ = _service.Schedule(_ => firedAt = _clock.GetElapsedTime(begin), null, s_second / 2);
        };

        Schedule(s_second);
        _clock.Advance(s_second);

        Assert.Equal((1, s_second / 2), (_fired, firedAt));
    }

    // Disposing hands the provider's timers to the clock one by one, and ends the delays after that.
    [Fact]
    public void CreateTimer_ThrowsWhenATimerIsHandedOver_TheOthersAreAndDelaysEnd()
    {
        var timers = Enumerable.Range(0, 3)
            .Select(_ => _service.TimeProvider.CreateTimer(_ => _fired++, null, s_second, Timeout.InfiniteTimeSpan))
            .ToList();
        var delay = _service.TryDelay(s_second, TestContext.Current.CancellationToken);
        _clock.BeforeCreating = FaultyClock.ThrowOnce();

        _ = Record.Exception(_service.Dispose);
        _clock.Advance(s_second);

        Assert.True(delay.IsCompleted);
        Assert.False(delay.Read());
        Assert.InRange(_fired, 2, 3);
        timers.ForEach(static timer => timer.Dispose());
    }

    // By then the firing has been taken, and no other thread would fire it.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Change_ThrowsOnceWhenAHandedOverTimerRings_ItFiresAllTheSame(bool isPeriodic)
    {
        using var timer = _service.TimeProvider.CreateTimer(
            _ => _fired++, null, s_second, isPeriodic ? TimeSpan.FromHours(1) : Timeout.InfiniteTimeSpan);
        _service.Dispose();
        _clock.BeforeChanging = FaultyClock.ThrowOnce();

        var thrown = Record.Exception(() => _clock.Advance(s_second));

        Assert.IsType<InsufficientMemoryException>(thrown);
        Assert.Equal(1, _fired);
    }

    [Fact]
    public void Change_ThrowsOnceWhenTimeoutsRingOnTheClock_TheyPassAllTheSame()
    {
        var token = _service.GetTimeoutToken(s_second);
        using var lease = _service.RentTimeout(s_second, TestContext.Current.CancellationToken);
        _service.Dispose();
        _clock.BeforeChanging = FaultyClock.ThrowOnce();

        _ = Record.Exception(() => _clock.Advance(s_second * 2));
        _clock.Advance(s_second);

        Assert.Equal((true, true), (token.IsCancellationRequested, lease.HasTimedOut));
    }

    // The task never completed, because the exception was not observed.
    [Fact]
    public async Task CreateTimer_ThrowsOnceWhenADelayGoesOnByTheClock_ItEndsWithTheException()
    {
        var delay = _service.BeginDetachedDelay(s_second, TestContext.Current.CancellationToken);
        _clock.BeforeCreating = FaultyClock.ThrowOnce();

        _service.Dispose();

        _ = await Assert.ThrowsAsync<InsufficientMemoryException>(() => Wait.For(delay, "the delay's end"));
    }

    // The timer was linked, and fired for ever although nobody had a reference to it.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Change_ThrowsOnceWhenATimerIsCreated_LeavesNoTimerThatNobodyHas(bool ofTheProvider)
    {
        _clock.BeforeChanging = FaultyClock.ThrowOnce();
        _ = Assert.Throws<InsufficientMemoryException>(() => _ = ofTheProvider
            ? _service.TimeProvider.CreateTimer(_ => _fired++, null, s_second, s_second)
            : _service.CreateTimer(_ => _fired++, null, s_second, s_second));

        Schedule(s_second);
        _clock.Advance(10 * s_second);

        Assert.Equal((1, 0L), (_fired, _service.GetSnapshot().Pending));
    }

    // The clock is read because the calling thread may be running a batch. Here it runs none.
    [Fact]
    public async Task GetTimestamp_ThrowsInDisposeAsync_ItWaitsForCallbacksAllTheSame()
    {
        _clock.BeforeReading = FaultyClock.ThrowOnce();

        await Wait.For(_service.DisposeAsync().AsTask(), "DisposeAsync");
    }

    [Fact]
    public void Dispose_OfTheClocksTimerThrows_TheMetricsAreDisposed()
    {
        var service = new TimerService(clock: new ClockOfStubbornTimers());
        var meter = Services.Field(Services.Field(service, "_metrics")!, "_ownMeter");
        var ended = 0;
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (ReferenceEquals(instrument.Meter, meter))
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
            MeasurementsCompleted = (_, _) => ended++,
        };
        listener.Start();

        _ = Assert.Throws<IOException>(service.Dispose);

        Assert.Equal(12, ended);
    }

    // A deadline that overflows a signed number of nanoseconds since the start would lie before the present.
    [Fact]
    public void Schedule_TheLongestDueTimeAfterTwoHundredYearsInNanoseconds_IsPending()
    {
        var clock = new Clock.HandClock(frequency: 1_000_000_000);
        using var service = new TimerService(clock: clock);
        clock.SkipAndRing(TimeSpan.FromDays(365 * 200));

        var never = service.Schedule(static _ => { }, null, TimeSpan.MaxValue);
        clock.SkipAndRing(TimeSpan.FromDays(30));

        Assert.True(never.Cancel());
    }

    private sealed class ClockOfStubbornTimers : TimeProvider
    {
        public override long GetTimestamp() => 0;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            new StubbornTimer();
    }

    private sealed class StubbornTimer : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose() => throw new IOException("Thrown by the clock's timer.");

        public ValueTask DisposeAsync() => default;
    }

    private void Schedule(TimeSpan dueTime) =>
        _ = _service.Schedule(_ => Interlocked.Increment(ref _fired), null, dueTime);
}
