using ScalableTimers.Testing;

namespace ScalableTimers.Tests.Pitfalls;

/// <summary>
/// netty/netty #14959: a cancel that raced expiry was counted twice, and the number of pending timers went wrong for
/// good.
/// </summary>
public class Netty14959_CancelRacesExpiryTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    [Fact]
    public void Cancel_ByACallbackOfTheSameTick_CountsEachOnce()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(clock: clock);
        var timers = new List<ScheduledTimer>();
        for (var i = 0; i < 100; i++)
        {
            timers.Add(service.Schedule(_ => timers.ForEach(static timer => timer.Cancel()), null, s_tick));
        }

        clock.Advance(s_tick);

        var snapshot = service.GetSnapshot();
        Assert.Equal((0L, 100L, 1L, 99L), (snapshot.Pending, snapshot.Scheduled, snapshot.Fired, snapshot.Cancelled));
    }

    [Fact]
    public async Task Cancel_ExpiredAndWaitingForThePool_IsFalseAndCountsOnce()
    {
        var clock = new ManualTimeProvider();
        await using var service = Services.OnThePool(clock);
        using var fired = new CountdownEvent(200);
        var timers = Enumerable.Range(0, 200).Select(_ => service.Schedule(_ => fired.Signal(), null, s_tick)).ToList();

        // When Advance returns, the driver has taken all timers out. The pool may run them later.
        clock.Advance(s_tick);

        Assert.All(timers, static timer => Assert.False(timer.Cancel()));
        Wait.For(fired, "all fired");
        await service.DisposeAsync();
        var snapshot = service.GetSnapshot();
        Assert.Equal((0L, 200L, 0L), (snapshot.Pending, snapshot.Fired, snapshot.Cancelled));
    }

    // Calibrated by counting a cancel whose version does not match: fails in the first round.
    [Fact]
    public async Task Cancel_RacingExpiryFromTwoThreads_TheCountsAddUp()
    {
        var clock = new ManualTimeProvider();
        await using var service = Services.OnThePool(clock);
        for (var round = 0; round < 50; round++)
        {
            var timers = Enumerable.Range(0, 400).Select(_ => service.Schedule(static _ => { }, null, s_tick)).ToList();
            using var start = new Barrier(3);
            var threads = Enumerable.Range(0, 2).Select(_ => new TestThread(() =>
            {
                start.SignalAndWait();
                timers.ForEach(static timer => timer.Cancel());
            })).ToList();
            threads.ForEach(static thread => thread.Start());
            start.SignalAndWait();
            clock.Advance(s_tick);
            threads.ForEach(Wait.ForEnd);
        }

        await service.DisposeAsync();
        var snapshot = service.GetSnapshot();
        Assert.Equal((0L, 20_000L), (snapshot.Pending, snapshot.Fired + snapshot.Cancelled));
    }
}
