using ScalableTimers.Testing;

namespace ScalableTimers.Tests;

public sealed class ScheduledTimerTests : IDisposable
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly TimerService _service;
    private int _fired;

    public ScheduledTimerTests() => _service = new TimerService(clock: _clock);

    public void Dispose() => _service.Dispose();

    [Fact]
    public void Cancel_Pending_IsTrueOnceAndItDoesNotRun()
    {
        var timer = Schedule(s_second);

        Assert.True(timer.Cancel());
        Assert.False(timer.Cancel());
        _clock.Advance(s_second);

        Assert.Equal(0, _fired);
    }

    [Fact]
    public void Cancel_Fired_IsFalse()
    {
        var timer = Schedule(s_second);
        _clock.Advance(s_second);

        Assert.False(timer.Cancel());
        Assert.Equal(1, _fired);
    }

    [Fact]
    public void Cancel_InsideItsOwnCallback_IsFalse()
    {
        ScheduledTimer timer = default;
        bool? result = null;
        timer = _service.Schedule(_ => result = timer.Cancel(), null, s_second);

        _clock.Advance(s_second);

        Assert.False(result);
    }

    [Fact]
    public void Cancel_Default_IsFalse() => Assert.False(default(ScheduledTimer).Cancel());

    [Fact]
    public void Reschedule_Default_IsFalse() => Assert.False(default(ScheduledTimer).Reschedule(s_second));

    [Fact]
    public void Cancel_HandleOfAnEarlierUse_CancelsNothingHoweverOftenTheEntryWasReused()
    {
        // The entry is used more often than a 16-bit version has values. The version in use has 64 bits.
        var stale = Schedule(s_second);
        stale.Cancel();
        for (var i = 0; i < 70_000; i++)
        {
            var current = Schedule(s_second);
            Assert.False(stale.Cancel());
            Assert.False(stale.Reschedule(TimeSpan.Zero));
            Assert.NotEqual(stale, current);
            Assert.True(current.Cancel());
        }

        Assert.Equal(0, _service.GetSnapshot().Pending);
        Assert.Equal(70_001, _service.GetSnapshot().Cancelled);
    }

    [Fact]
    public void Cancel_HandleOfAFiredUse_LeavesTheNextUseAlone()
    {
        var first = Schedule(s_second);
        _clock.Advance(s_second);
        var second = Schedule(s_second);

        Assert.False(first.Cancel());
        Assert.False(first.Reschedule(TimeSpan.FromHours(1)));
        _clock.Advance(s_second);

        Assert.Equal(2, _fired);
        Assert.False(second.Cancel());
    }

    [Fact]
    public void Cancel_OnAnotherThread_TakesEffect()
    {
        var timer = Schedule(s_second);

        Wait.ForThread(() => Assert.True(timer.Cancel()));
        _clock.Advance(s_second);

        Assert.Equal(0, _fired);
    }

    [Fact]
    public void Cancel_LetsGoOfCallbackAndStateAtOnce()
    {
        var (timer, state, callback) = Services.InAFrameOfItsOwn(() =>
        {
            var state = new object();
            var target = new object();
            TimerCallback callback = _ => target.ToString();
            return (_service.Schedule(callback, state, s_second), new WeakReference(state), new WeakReference(target));
        });

        timer.Cancel();

        Wait.ForCollection(state, callback);
        GC.KeepAlive(_service);
    }

    [Fact]
    public void Fire_LetsGoOfCallbackAndState()
    {
        var state = Services.InAFrameOfItsOwn(() =>
        {
            var state = new object();
            _service.Schedule(s_ignore, state, s_second);
            return new WeakReference(state);
        });

        _clock.Advance(s_second);

        Wait.ForCollection(state);
        GC.KeepAlive(_service);
    }

    [Fact]
    public void Reschedule_Later_RunsThenOnly()
    {
        var timer = Schedule(s_second);

        Assert.True(timer.Reschedule(3 * s_second));
        _clock.Advance((3 * s_second) - TimeSpan.FromTicks(1));
        Assert.Equal(0, _fired);
        _clock.Advance(TimeSpan.FromTicks(1));

        Assert.Equal(1, _fired);
    }

    [Fact]
    public void Reschedule_Sooner_RunsThenOnly()
    {
        var timer = Schedule(TimeSpan.FromHours(1));

        Assert.True(timer.Reschedule(s_second));
        _clock.Advance(s_second);
        Assert.Equal(1, _fired);
        _clock.Advance(TimeSpan.FromHours(2));

        Assert.Equal(1, _fired);
    }

    [Fact]
    public void Reschedule_CountsFromNow()
    {
        var timer = Schedule(10 * s_second);
        _clock.Advance(9 * s_second);

        Assert.True(timer.Reschedule(10 * s_second));
        _clock.Advance(9 * s_second);
        Assert.Equal(0, _fired);
        _clock.Advance(s_second);

        Assert.Equal(1, _fired);
    }

    [Fact]
    public void Reschedule_InfiniteAndBack_RunsWhenAsked()
    {
        var timer = Schedule(s_second);
        Assert.True(timer.Reschedule(Timeout.InfiniteTimeSpan));
        _clock.Advance(TimeSpan.FromDays(1));
        Assert.Equal((0, 1L), (_fired, _service.GetSnapshot().Pending));

        Assert.True(timer.Reschedule(s_second));
        _clock.Advance(s_second);

        Assert.Equal(1, _fired);
    }

    [Fact]
    public void Reschedule_Fired_IsFalse()
    {
        var timer = Schedule(s_second);
        _clock.Advance(s_second);

        Assert.False(timer.Reschedule(s_second));
        _clock.Advance(s_second);

        Assert.Equal(1, _fired);
    }

    [Fact]
    public void Reschedule_Cancelled_IsFalse()
    {
        var timer = Schedule(s_second);
        timer.Cancel();

        Assert.False(timer.Reschedule(s_second));
    }

    [Fact]
    public void Reschedule_Disposed_IsFalse()
    {
        var timer = Schedule(s_second);
        _service.Dispose();

        Assert.False(timer.Reschedule(s_second));
        Assert.False(timer.Cancel());
    }

    [Fact]
    public void Reschedule_NegativeDueTime_ThrowsAndLeavesTheTimer()
    {
        var timer = Schedule(s_second);

        Assert.Throws<ArgumentOutOfRangeException>(() => timer.Reschedule(TimeSpan.FromMilliseconds(-2)));
        _clock.Advance(s_second);

        Assert.Equal(1, _fired);
    }

    [Fact]
    public void Reschedule_GoesBehindOthersOfItsNewDeadline()
    {
        var order = new List<int>();
        var first = _service.Schedule(_ => order.Add(1), null, s_second);
        _service.Schedule(_ => order.Add(2), null, 2 * s_second);

        first.Reschedule(2 * s_second);
        _clock.Advance(2 * s_second);

        Assert.Equal([2, 1], order);
    }

    [Fact]
    public void Equals_SameAndDifferentTimers_TellsThemApart()
    {
        var one = Schedule(s_second);
        var copy = one;
        var other = Schedule(s_second);

        Assert.True(one == copy);
        Assert.True(one != other);
        Assert.True(one.Equals((object)copy));
        Assert.False(one.Equals(null));
        Assert.Equal(one.GetHashCode(), copy.GetHashCode());
        Assert.Equal(default, default(ScheduledTimer));
        Assert.NotEqual(default, one);
        Assert.False(one == other);
        Assert.False(one != copy);
    }

    private ScheduledTimer Schedule(TimeSpan dueTime) => _service.Schedule(_ => _fired++, null, dueTime);
}
