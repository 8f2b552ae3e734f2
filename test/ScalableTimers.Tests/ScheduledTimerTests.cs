using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests;

public sealed class ScheduledTimerTests : IDisposable
{
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
    public void Cancel_InsideItsOwnCallback_IsFalse()
    {
        ScheduledTimer timer = default;
        bool? result = null;
        timer = _service.Schedule(_ => result = timer.Cancel(), null, s_second);

        _clock.Advance(s_second);

        Assert.False(result);
    }

    [Fact]
    public void CancelAndReschedule_DefaultFiredCancelledOrDisposed_AreFalse()
    {
        var fired = Schedule(s_second);
        _clock.Advance(s_second);
        var cancelled = Schedule(s_second);
        cancelled.Cancel();
        var dropped = Schedule(s_second);
        _service.Dispose();

        Assert.All([default, fired, cancelled, dropped], static timer =>
            Assert.Equal((false, false), (timer.Cancel(), timer.Reschedule(s_second))));
        _clock.Advance(s_second);
        Assert.Equal(1, _fired);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void CancelOrFire_LetsGoOfCallbackAndStateAtOnce(bool fires)
    {
        var (timer, state, callback) = Services.InAFrameOfItsOwn(() =>
        {
            var state = new object();
            var target = new object();
            TimerCallback callback = _ => target.ToString();
            return (_service.Schedule(callback, state, s_second), new WeakReference(state), new WeakReference(target));
        });

        if (fires)
        {
            _clock.Advance(s_second);
        }
        else
        {
            timer.Cancel();
        }

        Wait.ForCollection(state, callback);
        GC.KeepAlive(_service);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(10)]
    [InlineData(30)]
    public void Reschedule_SoonerOrLater_CountsFromNowAndRunsThenOnly(int seconds)
    {
        var timer = Schedule(10 * s_second);
        _clock.Advance(9 * s_second);

        Assert.True(timer.Reschedule(seconds * s_second));
        _clock.Advance((seconds - 1) * s_second);
        Assert.Equal(0, _fired);
        _clock.Advance(s_second);
        Assert.Equal(1, _fired);
        _clock.Advance(60 * s_second);

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
