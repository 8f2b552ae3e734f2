using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Pitfalls;

/// <summary>
/// tokio-rs/tokio #6534, reverted in #7226: assigning timers to random shards was slower than keeping them with their
/// thread.
/// </summary>
public class Tokio6534_LocalityTests
{
    [Fact]
    public void Schedule_AThreadsTimers_AllGoToItsOwnCollection()
    {
        using var service = Services.OnThePool(new HandClock());
        Wait.ForThread(() =>
        {
            var mine = service.CurrentCollection();
            for (var i = 0; i < 1_000; i++)
            {
                var timer = service.Schedule(static _ => { }, null, TimeSpan.FromMinutes(1));
                var entry = (ScalableTimers.Timers.CallbackEntry)Services.Field(timer, "_entry")!;
                Assert.Same(mine, entry.Collection);
                if (i % 2 == 0)
                {
                    timer.Cancel();
                }
            }
        });
    }

    [Fact]
    public void Schedule_WhileAnotherThreadIsInItsCollection_DoesNotWaitForIt()
    {
        using var service = Services.OnThePool(new HandClock());
        var mine = service.CurrentCollection();
        mine.Enter(Environment.CurrentManagedThreadId);
        try
        {
            Wait.ForThread(() => service.Schedule(static _ => { }, null, TimeSpan.FromMinutes(1)).Cancel());
        }
        finally
        {
            mine.Exit(Environment.CurrentManagedThreadId);
        }
    }
}
