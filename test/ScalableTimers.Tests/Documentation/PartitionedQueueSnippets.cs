namespace ScalableTimers.Tests.Documentation;

/// <summary>The code of the page about partitioned queues.</summary>
public sealed class PartitionedQueueSnippets
{
    private const int Count = 1_000;

    [Fact]
    public async Task CreateThenDispose_OnAllProcessors_LeavesNothing()
    {
        using var timers = new TimerService();

        await Task.WhenAll(Enumerable.Range(0, Environment.ProcessorCount).Select(_ => Task.Run(async () =>
        {
            for (var i = 0; i < Count; i++)
            {
                var timeout = timers.Schedule(static _ => { }, null, TimeSpan.FromSeconds(100));
                await Task.Yield(); // another thread may go on, and cancel
                timeout.Cancel();
            }
        })));

        var counted = timers.GetSnapshot();
        Assert.Equal((Count * Environment.ProcessorCount, 0, 0), (counted.Cancelled, counted.Pending, counted.Fired));
    }
}
