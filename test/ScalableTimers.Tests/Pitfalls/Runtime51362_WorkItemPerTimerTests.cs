using System.Collections;
using ScalableTimers.Firing;
using ScalableTimers.Testing;

namespace ScalableTimers.Tests.Pitfalls;

/// <summary>dotnet/runtime #51362: each fired timer is queued to the pool as a separate work item.</summary>
public class Runtime51362_WorkItemPerTimerTests
{
    [Theory]
    [InlineData(1, 1)]
    [InlineData(FiringBatch.Capacity, 1)]
    [InlineData(1_000, 8)]
    public async Task Fire_TimersOfOneTick_GoToThePoolInBatches(int timers, int mostBatches)
    {
        var clock = new ManualTimeProvider();
        await using var service = Services.OnThePool(clock);
        for (var i = 0; i < timers; i++)
        {
            service.Schedule(static _ => { }, null, TimeSpan.FromSeconds(1));
        }

        clock.Advance(TimeSpan.FromSeconds(1));
        await Wait.For(service.DisposeAsync().AsTask(), "callbacks ended");

        // Batches are pooled. The pool now has as many as were in use at once.
        var batches = (ICollection)Services.Field(service.Dispatcher, "_free")!;
        Assert.InRange(batches.Count, 1, mostBatches);
        Assert.Equal(timers, service.GetSnapshot().Fired);
    }
}
