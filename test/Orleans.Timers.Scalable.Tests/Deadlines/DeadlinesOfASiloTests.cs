using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Silos that each test makes for itself.</summary>
public sealed class DeadlinesOfASiloTests
{
    [Fact]
    public async Task Budget_IsLongerThanADay_RequestHasNoDeadline()
    {
        await using var cluster = await Deploy(static silo => silo.AddCallDeadlines());
        var grain = cluster.Client.GetGrain<IScriptedGrain>(Guid.NewGuid());
        using (GrainDeadline.Begin(TimeSpan.FromDays(2)))
        {
            Assert.Null(await DeadlineCalls.RemainingIn(grain));
        }

        using (GrainDeadline.Begin(TimeSpan.FromDays(1)))
        {
            Assert.NotNull(await DeadlineCalls.RemainingIn(grain));
        }

        Assert.Equal(1, DeadlineSilos.CountsOf(cluster.Silos[0]).IgnoredHeaders);
    }

    [Fact]
    public async Task AddCallDeadlines_SiloHasATestsClock_DeadlinesKeepItsTime()
    {
        var clock = new ManualTimeProvider();
        await using var cluster = await Deploy(silo =>
        {
            silo.Services.AddKeyedSingleton<TimeProvider>(TimeProviderNames.Grains, clock);
            silo.AddCallDeadlines();
        });
        var grain = cluster.Client.GetGrain<IScriptedGrain>(Guid.NewGuid());
        using var scope = GrainDeadline.Begin(TimeSpan.FromMinutes(10));

        await grain.Run(_ =>
        {
            var atFirst = GrainDeadline.Remaining!.Value;
            var token = GrainDeadline.Token;
            using var inner = GrainDeadline.Begin(TimeSpan.FromMinutes(8));

            clock.Advance(TimeSpan.FromMinutes(3));
            Assert.Equal(TimeSpan.FromMinutes(5), GrainDeadline.Remaining);

            inner.Dispose();
            Assert.Equal(atFirst - TimeSpan.FromMinutes(3), GrainDeadline.Remaining);
            Assert.False(token.IsCancellationRequested);

            clock.Advance(TimeSpan.FromMinutes(8));
            Assert.Equal(TimeSpan.Zero, GrainDeadline.Remaining);
            Assert.True(token.IsCancellationRequested);
            return Task.CompletedTask;
        });
    }

    private static async Task<InProcessTestCluster> Deploy(Action<ISiloBuilder> configure)
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 1);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo((_, silo) => configure(silo.UseInMemoryReminderService()));
        builder.ConfigureClient(static client => client.AddCallDeadlines());
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return cluster;
    }
}
