using ScalableTimers.Collections;
using ScalableTimers.Tests.Clocks;

namespace ScalableTimers.Tests.Collections;

/// <summary>Due times that count from a recent time, on a clock that stands still unless it is moved on by hand. A tick is 10 ms.</summary>
public sealed class RecentTimeTests : IDisposable
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_long = TimerCollection.LongDueTimeTicks * s_tick;

    private readonly HandClock _clock = new();
    private readonly TimerService _service;
    private int _readings;

    public RecentTimeTests()
    {
        _service = new TimerService(new ScalableTimerOptions { FireOnThreadPool = true }, _clock, null, null, hasRecentTimes: true);
        _clock.BeforeReading = () => Interlocked.Increment(ref _readings);
    }

    /// <summary>Everything that takes a due time.</summary>
    public enum Kind
    {
        Schedule,
        Reschedule,
        NewDelay,
        DelayLeftLinked,
        ServiceTimer,
        ProviderTimer,
        Change,
    }

    public static TheoryData<Kind> Kinds => [.. Enum.GetValues<Kind>()];

    public void Dispose() => _service.Dispose();

    [Fact]
    public void Schedule_WithoutAPause_ReadsTheClockOnceInAStretch()
    {
        Open();
        var before = _readings;

        Schedule(63, s_long);
        Assert.Equal(0, _readings - before);
        Schedule(64 * 10, s_long);
        Assert.Equal(10, _readings - before);
    }

    [Fact]
    public void Schedule_DueTimeIsNotLong_ReadsTheClock()
    {
        Open();
        var before = _readings;

        Schedule(10, s_long - TimeSpan.FromTicks(1));

        Assert.Equal(10, _readings - before);
    }

    [Fact]
    public void Schedule_WithPauses_ReadsTheClockEachTime()
    {
        for (var i = 0; i < 64; i++)
        {
            _clock.Skip(s_tick / 1000);
            _service.Schedule(s_ignore, null, s_long);
        }

        var before = _readings;
        Schedule(63, s_long);

        Assert.Equal(63, _readings - before);
    }

    [Fact]
    public void Schedule_PausesBegin_ReadsTheClockAgainAfterTheStretch()
    {
        Open();
        _clock.Skip(s_tick);
        Schedule(64, s_long);
        var before = _readings;

        Schedule(63, s_long);

        Assert.Equal(63, _readings - before);
    }

    [Fact]
    public void Schedule_AnotherClockThanTheSystems_HasNoRecentTime()
    {
        using var service = Services.OnThePool(_clock);
        for (var i = 0; i < 640; i++)
        {
            service.Schedule(s_ignore, null, s_long);
        }

        Assert.False(Recent(service).IsOpen);
    }

    [Fact]
    public void Schedule_MoreThanCanBeNoted_ReadsTheClock()
    {
        // Delays that begin where they are linked are counted apart, so that both together can be more.
        using var source = new CancellationTokenSource();
        var delays = Enumerable.Range(0, 64).Select(_ => _service.TryDelay(s_long, source.Token)).ToList();
        source.Cancel();
        delays.ForEach(static delay => delay.Read());
        Open();
        Schedule(63, s_long);
        var before = _readings;
        using var other = new CancellationTokenSource();

        delays = [.. Enumerable.Range(0, 40).Select(_ => _service.TryDelay(s_long, other.Token))];

        Assert.Equal(63 + 40 - RecentTime.Capacity, _readings - before);
        other.Cancel();
        delays.ForEach(static delay => delay.Read());
    }

    [Fact]
    public void Open_DriverSleeps_ItIsToLookAtTheNextTickAndTheOneAfter()
    {
        Open();
        Assert.InRange(_clock.NextWait!.Value, TimeSpan.Zero, s_tick);

        _clock.SkipAndRing(s_tick);
        Assert.False(Recent(_service).IsOpen);
        Assert.InRange(_clock.NextWait!.Value, TimeSpan.Zero, s_tick);

        _clock.SkipAndRing(s_tick);
        Assert.InRange(_clock.NextWait!.Value, s_tick * 2, TimeSpan.MaxValue);
    }

    // Calibrated by not postponing, in each of CallbackEntry, DelayEntry and RepeatingEntry: early by 5 ticks.
    [Theory]
    [MemberData(nameof(Kinds))]
    public void Driver_ComesLate_WhatCountedFromTheRecentTimeIsNotEarly(Kind kind) => AssertNotEarly(kind, _clock.Ring);

    // Calibrated by not postponing in TimerCollection.ChangeRecentTime: early by 5 ticks.
    [Theory]
    [MemberData(nameof(Kinds))]
    public void Owner_PausesAndGoesOn_WhatCountedFromTheRecentTimeIsNotEarly(Kind kind) => AssertNotEarly(kind, () => Schedule(64, s_long * 4));

    // Calibrated by reading the clock before closing in TimerCollection.CloseRecentTimeLocked: early by 5 ticks.
    [Theory]
    [MemberData(nameof(Kinds))]
    public void Clock_MovesOnWhileTheDriverReadsIt_WhatCountedFromTheRecentTimeIsNotEarly(Kind kind)
    {
        AssertNotEarly(
            kind,
            () =>
            {
                // What the driver reads first is for the pass, what it reads last is for the recent time.
                _clock.Timestamp -= s_tick.Ticks * 5;
                _clock.BeforeReading = () => _clock.Timestamp += Recent(_service).IsOpen ? 0 : s_tick.Ticks * 5;
                _clock.Skip(s_tick);
                _clock.Ring();
                _clock.BeforeReading = null;
            });
    }

    [Fact]
    public void Dispose_WhatCountedFromTheRecentTime_IsHandedOverWithItsRightTime()
    {
        Open();
        _clock.Skip(s_tick * 5);
        using var fired = new ManualResetEventSlim();
        using var timer = _service.TimeProvider.CreateTimer(_ => fired.Set(), null, s_long, Timeout.InfiniteTimeSpan);

        _service.Dispose();

        // Then the clock's own timer fires it, within Ring.
        _clock.SkipAndRing(s_long - TimeSpan.FromTicks(1));
        Assert.False(fired.IsSet);
        _clock.SkipAndRing(TimeSpan.FromTicks(1));
        Wait.For(fired, "the timer");
    }

    [Fact]
    public void Change_ByAnotherThread_ReadsTheClock()
    {
        using var timer = _service.CreateTimer(s_ignore, null, s_long, Timeout.InfiniteTimeSpan);
        Open();
        var before = _readings;

        var thread = new TestThread(() => timer.Change(s_long, Timeout.InfiniteTimeSpan));
        thread.Start();
        thread.End();

        Assert.Equal(1, _readings - before);
    }

    // Calibrated by not letting go in RecentTime.LetGo.
    [Fact]
    public void ServiceTimer_StoppedAndDropped_CanBeCollectedOnceTheDriverHasLooked()
    {
        Open();
        var dropped = Services.InAFrameOfItsOwn(() =>
        {
            var timer = _service.CreateTimer(s_ignore, null, s_long, Timeout.InfiniteTimeSpan);
            timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            return new WeakReference(timer);
        });

        _clock.SkipAndRing(s_tick);
        Wait.ForCollection(dropped);
    }

    // Calibrated by not unlinking in DelayEntry.PostponeLocked: the delay begins.
    [Fact]
    public void DelayLeftLinked_ClosedBeforeItHasBegun_DoesNotBeginThere()
    {
        using var source = new CancellationTokenSource();
        var delay = _service.TryDelay(s_long, source.Token);
        source.Cancel();
        delay.Read();
        Open();
        var collection = _service.CurrentCollection();
        var entry = collection.RentDelay(observer: null);
        Assert.True(entry.MayBeLinked);
        var word = entry.ReadLife();

        var me = Environment.CurrentManagedThreadId;
        collection.Enter(me);
        entry.PostponeLocked(deadlineTick: 300, late: 1);
        collection.Exit(me);

        Assert.False(entry.TryBeginLinked(word, DelayOptions.ReportCancellation, 300));
        collection.Return(entry);
    }

    [Fact]
    public void TryNote_Closed_SaysSo()
    {
        var recent = default(RecentTime);
        Assert.False(recent.TryGet(out _));
        recent.Open(5);
        Assert.True(recent.TryGet(out var time));
        var entry = new CallbackEntry(_service.CurrentCollection());
        Assert.True(recent.TryNote(entry, 7));

        Assert.Equal((5L, 5L), (time, recent.Close()));

        Assert.False(recent.TryNote(entry, 8));
        Assert.False(recent.TryGet(out _));
        Assert.Equal((1, 8L), (recent.Count, recent.Noted(0).DeadlineTick));
    }

    private static RecentTime Recent(TimerService service) => (RecentTime)Services.Field(service.CurrentCollection(), "_recent")!;

    private void Open()
    {
        Schedule(128, s_long * 4);
        Assert.True(Recent(_service).IsOpen);
    }

    private void Schedule(int count, TimeSpan dueTime)
    {
        for (var i = 0; i < count; i++)
        {
            _service.Schedule(s_ignore, null, dueTime);
        }
    }

    /// <summary>Has a thread pause while a recent time is open, then ask for something.</summary>
    /// <param name="kind">What.</param>
    /// <param name="close">Closes the recent time.</param>
    private void AssertNotEarly(Kind kind, Action close)
    {
        using var fired = new ManualResetEventSlim();
        var begin = Prepared(kind, fired);
        Open();
        _clock.Skip(s_tick * 5);
        var before = _readings;
        using var begun = begin();
        Assert.Equal(before, _readings);
        var dueAt = _clock.Timestamp + s_long.Ticks;

        close();

        // The driver takes out what has expired before Ring returns; the pool fires it at some time.
        var pending = _service.GetSnapshot().Pending;
        _clock.Timestamp = Math.Max(_clock.Timestamp, dueAt - 1);
        _clock.Ring();
        _clock.Ring();
        Assert.Equal(pending, _service.GetSnapshot().Pending);
        _clock.Timestamp = Math.Max(_clock.Timestamp, dueAt + (s_tick.Ticks * 2));
        _clock.Ring();
        Wait.For(fired, "it has fired");
    }

    /// <summary>Does what takes no due time, or another one.</summary>
    /// <returns>What asks for the long due time.</returns>
    private Func<IDisposable?> Prepared(Kind kind, ManualResetEventSlim fired)
    {
        TimerCallback fire = _ => fired.Set();
        switch (kind)
        {
            case Kind.Reschedule:
                var scheduled = _service.Schedule(fire, null, s_long * 4);
                return () =>
                {
                    Assert.True(scheduled.Reschedule(s_long));
                    return null;
                };
            case Kind.NewDelay:
                return () => Delay(fired);
            case Kind.DelayLeftLinked:
                using (var source = new CancellationTokenSource())
                {
                    var delay = _service.TryDelay(s_long / 2, source.Token);
                    source.Cancel();
                    delay.Read();
                }

                return () => Delay(fired);
            case Kind.ServiceTimer:
                return () => _service.CreateTimer(fire, null, s_long, Timeout.InfiniteTimeSpan);
            case Kind.ProviderTimer:
                return () => _service.TimeProvider.CreateTimer(fire, null, s_long, Timeout.InfiniteTimeSpan);
            case Kind.Change:
                var timer = _service.CreateTimer(fire, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
                return () =>
                {
                    timer.Change(s_long, Timeout.InfiniteTimeSpan);
                    return timer;
                };
            default:
                return () =>
                {
                    _service.Schedule(fire, null, s_long);
                    return null;
                };
        }
    }

    private IDisposable? Delay(ManualResetEventSlim fired)
    {
        var delay = _service.TryDelay(s_long);
        delay.GetAwaiter().OnCompleted(fired.Set);
        return null;
    }
}
