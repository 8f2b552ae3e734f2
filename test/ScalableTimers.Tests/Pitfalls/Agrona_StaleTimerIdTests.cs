using ScalableTimers.Testing;

namespace ScalableTimers.Tests.Pitfalls;

/// <summary>
/// Agrona's wheel: a timer's id is its slot and has no generation, so a stale cancel hits whichever timer has the slot
/// now.
/// </summary>
public class Agrona_StaleTimerIdTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    [Fact]
    public void Cancel_StaleHandlesOfEveryGeneration_HitNobody()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(clock: clock);
        var stale = new List<ScheduledTimer>();
        var fired = 0;
        for (var i = 0; i < 500; i++)
        {
            stale.Add(service.Schedule(_ => fired++, null, s_tick));
            if (i % 2 == 0)
            {
                clock.Advance(s_tick);
            }
            else
            {
                Assert.True(stale[^1].Cancel());
            }

            Assert.All(stale, static timer => Assert.False(timer.Cancel()));
        }

        service.Schedule(_ => fired++, null, s_tick);
        Assert.All(stale, static timer => Assert.False(timer.Cancel()));
        clock.Advance(s_tick);

        Assert.Equal(251, fired);
    }
}
