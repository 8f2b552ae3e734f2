using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
using ScalableTimers.Testing;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Silos whose options for deadlines are not the defaults.</summary>
public sealed class CallDeadlineOptionsTests
{
    [Fact]
    public async Task CountTimeInQueues_IsFalse_BudgetRunsFromTheRequestsTurn()
    {
        var wait = TimeSpan.FromMilliseconds(600);
        await using var cluster = await Deploy(
            static silo => silo.AddCallDeadlines(static options => options.CountTimeInQueues = false));
        var grain = cluster.Client.GetGrain<IDeadlineProbeGrain>(Guid.NewGuid());
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var blocking = await grain.BeginWait(_ => new ValueTask(release.Task));
        Task<TimeSpan?> queued;
        using (GrainDeadline.Begin(wait / 2))
        {
            queued = DeadlineCalls.RemainingIn(grain);
        }

        await Task.Delay(wait, TestContext.Current.CancellationToken);
        release.SetResult();
        await blocking.Guarded("the blocking request ends");

        Assert.InRange((await queued.Guarded("the queued request is run"))!.Value, TimeSpan.FromTicks(1), wait / 2);
    }

    [Fact]
    public async Task LongestBudget_IsExceeded_RequestHasNoDeadline()
    {
        await using var cluster = await Deploy(
            static silo => silo.AddCallDeadlines(static options => options.LongestBudget = TimeSpan.FromMinutes(1)));
        var grain = cluster.Client.GetGrain<IScriptedGrain>(Guid.NewGuid());
        using (GrainDeadline.Begin(TimeSpan.FromMinutes(2)))
        {
            Assert.Null(await DeadlineCalls.RemainingIn(grain));
        }

        using (GrainDeadline.Begin(TimeSpan.FromMinutes(1)))
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
