namespace ScalableTimers.Tests;

public sealed class ScheduledTimerTests : InVirtualTime
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private int _fired;

    [Fact]
    public void CancelAndReschedule_DefaultFiredCancelledOrDisposed_AreFalse()
    {
        var fired = Schedule(s_second);
        Clock.Advance(s_second);
        var cancelled = Schedule(s_second);
        cancelled.Cancel();
        var dropped = Schedule(s_second);
        Service.Dispose();

        Assert.All([default, fired, cancelled, dropped], static timer =>
            Assert.Equal((false, false), (timer.Cancel(), timer.Reschedule(s_second))));
        Clock.Advance(s_second);
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
            return (Service.Schedule(callback, state, s_second), new WeakReference(state), new WeakReference(target));
        });

        if (fires)
        {
            Clock.Advance(s_second);
        }
        else
        {
            timer.Cancel();
        }

        Wait.ForCollection(state, callback);
        GC.KeepAlive(Service);
    }

    // Seen to fail when the wheel yields an entry whose slot has come, whatever its deadline, and when a timer of the
    // provider fires where it is linked, whatever its moment: they fired after 30 s.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Reschedule_AMillionTimesLater_FiresOnceOnTimeAndSeldomWakesTheDriver(bool ofProvider)
    {
        using var service = Services.OnThePool(Clock);
        using var fired = new CountdownEvent(1);
        using var provided = ofProvider
            ? service.TimeProvider.CreateTimer(_ => fired.Signal(), null, 30 * s_second, Timeout.InfiniteTimeSpan)
            : null;
        var timer = ofProvider ? default : service.Schedule(_ => fired.Signal(), null, 30 * s_second);
        for (var i = 0; i < 1_000_000; i++)
        {
            Assert.True(
                provided?.Change(30 * s_second, Timeout.InfiniteTimeSpan) ?? timer.Reschedule(30 * s_second));
            if (i % 1_000 == 0)
            {
                Clock.Advance(TimeSpan.FromMilliseconds(100));
            }
        }

        Assert.Equal(30 * s_second, Assert.Single(service.GetPending(10)).DueIn);
        Clock.Advance((30 * s_second) - TimeSpan.FromTicks(1));
        Assert.Equal(0, service.GetSnapshot().Fired + service.GetSnapshot().InFlight);
        Assert.InRange(service.GetSnapshot().DriverWakeUps, 1, 20);
        Clock.Advance(TimeSpan.FromMilliseconds(10));
        Wait.For(fired, "the timer");
    }

    // Each is due at a tick of its own. Seen to fail when a timer of the provider goes down to the tick for which it
    // was linked: the driver woke 1,003 times.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Reschedule_OfManyAtUnrelatedTimes_SeldomWakesTheDriver(bool ofProvider)
    {
        const int Count = 1_000;
        using var service = Services.OnThePool(Clock);
        var postpone = Enumerable.Range(0, Count).Select(_ => ofProvider ? Provided() : Scheduled()).ToList();
        for (var step = 0; step < 60 * Count; step++)
        {
            Clock.Advance(TimeSpan.FromMilliseconds(1));
            if (step % 10 == 0)
            {
                Assert.True(postpone[step / 10 % Count]());
            }
        }

        Assert.Equal((Count, 0L), (service.GetSnapshot().Pending, service.GetSnapshot().Fired));
        Assert.InRange(service.GetSnapshot().DriverWakeUps, 1, 150);

        Func<bool> Scheduled()
        {
            var timer = service.Schedule(static _ => { }, null, 30 * s_second);
            return () => timer.Reschedule(30 * s_second);
        }

        Func<bool> Provided()
        {
            var timer = service.TimeProvider.CreateTimer(
                static _ => { }, null, 30 * s_second, Timeout.InfiniteTimeSpan);
            return () => timer.Change(30 * s_second, Timeout.InfiniteTimeSpan);
        }
    }

    [Theory]
    [InlineData(2)]
    [InlineData(10)]
    [InlineData(30)]
    public void Reschedule_EarlierOrLater_CountsFromNowAndFiresOnce(int seconds)
    {
        var timer = Schedule(10 * s_second);
        Clock.Advance(9 * s_second);

        Assert.True(timer.Reschedule(seconds * s_second));
        Clock.Advance((seconds - 1) * s_second);
        Assert.Equal(0, _fired);
        Clock.Advance(s_second);
        Assert.Equal(1, _fired);
        Clock.Advance(60 * s_second);

        Assert.Equal(1, _fired);
    }

    [Fact]
    public void Reschedule_InfiniteAndBack_RunsWhenAsked()
    {
        var timer = Schedule(s_second);
        Assert.True(timer.Reschedule(Timeout.InfiniteTimeSpan));
        Clock.Advance(TimeSpan.FromDays(1));
        Assert.Equal((0, 1L), (_fired, Service.GetSnapshot().Pending));

        Assert.True(timer.Reschedule(s_second));
        Clock.Advance(s_second);

        Assert.Equal(1, _fired);
    }

    [Fact]
    public void Reschedule_GoesBehindOthersOfItsNewDeadline()
    {
        var order = new List<int>();
        var first = Service.Schedule(_ => order.Add(1), null, s_second);
        Service.Schedule(_ => order.Add(2), null, 2 * s_second);

        first.Reschedule(2 * s_second);
        Clock.Advance(2 * s_second);

        Assert.Equal([2, 1], order);
    }

    private ScheduledTimer Schedule(TimeSpan dueTime) => Service.Schedule(_ => _fired++, null, dueTime);
}
