using Microsoft.Extensions.DependencyInjection;
using Orleans.DurableJobs;
using Orleans.TestingHost;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public sealed class DurableJobsTests
{
    [Fact]
    public void Key_OfDurableJobs_IsThatOfThisVersion() =>
        Assert.Equal(DurableJobTimeProviderNames.DurableJobs, KeyedClocks.DurableJobs);

    [Fact]
    public async Task Job_OfASiloWithScalableTimers_WaitsOnTheService()
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 1);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo(static (_, silo) => silo.UseInMemoryDurableJobs().AddScalableTimers());
        await using var cluster = builder.Build();
        await cluster.DeployAsync().Guarded("a silo with durable jobs starts");
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
        TestContext.Current.TestOutputHelper?.WriteLine($"{timers.GetSnapshot().Scheduled - before} timers were set.");
        Assert.InRange(timers.GetSnapshot().Scheduled, before + 1, long.MaxValue);
    }
}
