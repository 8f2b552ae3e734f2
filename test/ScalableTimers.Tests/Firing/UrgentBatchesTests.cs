using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Firing;

public class UrgentBatchesTests
{
    // Without it, of 40 loops of a delay and 30 milliseconds of computing on two processors some did not run in 15
    // seconds, while those that had just run went first again. Over .NET's timers they run every 3 to 5 seconds, now 2.
    [Fact]
    public void OneItem_AfterAnotherThatWentFirst_DoesSoAfterAsLongAsThatTook()
    {
        var (hand, took) = (new HandClock(), TimeSpan.FromMilliseconds(30).Ticks);
        var clock = new TickClock(hand, TimeSpan.FromMilliseconds(10));
        var batches = new UrgentBatches(clock);
        var began = clock.Now();
        Assert.True(batches.IsOneAffordable(began));
        hand.Timestamp += took;

        batches.Charge(began, isFirst: false);
        Assert.True(batches.IsOneAffordable(clock.Now()));

        batches.Charge(began, isFirst: true);
        hand.Timestamp += took - 1;
        Assert.False(batches.IsOneAffordable(clock.Now()));

        hand.Timestamp++;
        Assert.True(batches.IsOneAffordable(clock.Now()));
    }

    [Fact]
    public void OneItem_AfterAnotherThatTookLong_DoesSoWithinAQuarterOfASecond()
    {
        var hand = new HandClock();
        var clock = new TickClock(hand, TimeSpan.FromMilliseconds(10));
        var batches = new UrgentBatches(clock);
        var began = clock.Now();
        hand.Timestamp += TimeSpan.FromMinutes(1).Ticks;

        batches.Charge(began, isFirst: true);

        hand.Timestamp += TimeSpan.FromMilliseconds(250).Ticks;
        Assert.True(batches.IsOneAffordable(clock.Now()));
    }
}
