using ScalableTimers.Testing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Pitfalls;

/// <summary>
/// Azure Cosmos DB's timer pool skipped wake-ups that overlapped and did not catch up, so that lateness accumulated.
/// </summary>
public class Cosmos_OverlappingWakeUpsTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    [Fact]
    public void Wake_WhileAnotherIsServed_IsMadeUpFor()
    {
        var clock = new HandClock();
        using var service = Services.OnThePool(clock);
        using var fired = new CountdownEvent(50);
        for (var i = 1; i <= 50; i++)
        {
            service.Schedule(_ => fired.Signal(), null, i * s_tick);
        }

        // Each time that the driver reads the time, on this thread, the next wake-up begins inside that reading.
        var ticks = 1;
        var driver = Environment.CurrentManagedThreadId;
        clock.Skip(s_tick);
        clock.Reading = () =>
        {
            if (ticks < 50 && Environment.CurrentManagedThreadId == driver)
            {
                ticks++;
                clock.Skip(s_tick);
                service.Driver.Serve();
            }
        };
        service.Driver.Serve();

        Wait.For(fired, "every timer fired");
        Assert.Equal(0, service.GetSnapshot().Pending);
    }

    [Fact]
    public void Wake_ManyLateOnes_LatenessDoesNotAccumulate()
    {
        var clock = new HandClock();
        using var service = new TimerService(clock: clock);
        var fired = new List<long>();
        using var timer = service.TimeProvider.CreateTimer(
            _ => fired.Add(clock.Timestamp / TimeSpan.TicksPerMillisecond), null, 10 * s_tick, 10 * s_tick);

        // Each wake-up is 3 ms late. Some wake-ups only move the timer down a level.
        while (fired.Count < 100)
        {
            clock.SkipAndRing(clock.NextWait!.Value + TimeSpan.FromMilliseconds(3));
        }

        Assert.Equal(Enumerable.Range(1, 100).Select(static i => (100L * i) + 3), fired);
    }

    [Fact]
    public void Delay_AThousandInAChain_AddNothingOnTheGrid()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(clock: clock);
        var rounds = 0;
        void Next(object? state)
        {
            rounds++;
            service.Schedule(Next, null, s_tick);
        }

        service.Schedule(Next, null, s_tick);
        clock.Advance(1_000 * s_tick);

        Assert.Equal(1_000, rounds);
    }
}
