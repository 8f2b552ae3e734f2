using Microsoft.Extensions.DependencyInjection;
using Orleans.DurableJobs;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public sealed class DurableJobsTests
{
    [Fact]
    public async Task Job_OfASiloWithScalableTimers_WaitsOnTheService()
    {
        await using var cluster = await Clusters
            .Deploy(silos: 1, static (_, silo) => silo.UseInMemoryDurableJobs().AddScalableTimers())
            .Guarded("a silo with durable jobs starts");
        var services = cluster.Silos[0].ServiceProvider;
        var timers = services.GetRequiredService<TimerService>();
        Assert.Same(
            timers.TimeProvider,
            services.GetRequiredKeyedService<TimeProvider>(DurableJobTimeProviderNames.DurableJobs));

        var grain = cluster.Client.GetGrain<IJobGrain>(Guid.NewGuid());
        var ran = JobGrain.Ran[grain.GetPrimaryKey()] = new();
        var before = timers.GetSnapshot().Scheduled;
        var dueTime = DateTimeOffset.UtcNow + TimeSpan.FromSeconds(1);
        await grain.Schedule(dueTime).Guarded("the job is scheduled");

        Assert.InRange(await ran.Task.Guarded("the job runs"), dueTime, dueTime + HangGuard.Limit);
        Assert.InRange(timers.GetSnapshot().Scheduled, before + 1, long.MaxValue);
    }
}
