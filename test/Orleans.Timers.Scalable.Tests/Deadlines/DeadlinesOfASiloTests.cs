using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
using Orleans.Timers.Scalable.Deadlines;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Each test creates its own silos.</summary>
public sealed class DeadlinesOfASiloTests
{
    [Fact]
    public async Task Budget_IsLongerThanADay_RequestHasNoDeadline()
    {
        await using var cluster = await Deploy(static silo => silo.AddCallCancellation());
        using var ignored = cluster.Silos[0].ServiceProvider.Count(DeadlineCounts.IgnoredName);
        var grain = cluster.Client.GetGrain<IScriptedGrain>(Guid.NewGuid());
        using (CallDeadline.Begin(TimeSpan.FromDays(2)))
        {
            Assert.Null(await DeadlineCalls.RemainingIn(grain));
        }

        using (CallDeadline.Begin(TimeSpan.FromDays(1)))
        {
            Assert.NotNull(await DeadlineCalls.RemainingIn(grain));
        }

        Assert.Single(ignored.GetMeasurementSnapshot());
    }

    // Failed while the system's time was used wherever no deadline was in force: a minute was left of a scope that
    // began without an outer deadline.
    [Fact]
    public async Task AddCallCancellation_SiloHasAFakeClock_DeadlinesFollowIt()
    {
        var clock = new ManualTimeProvider();
        await using var cluster = await Deploy(silo =>
        {
            silo.Services.AddKeyedSingleton<TimeProvider>(TimeProviderNames.Grains, clock);
            silo.AddCallCancellation();
        });
        var grain = cluster.Client.GetGrain<IScriptedGrain>(Guid.NewGuid());
        await grain.Run(_ => AssertAMinutePasses());
        using var scope = CallDeadline.Begin(TimeSpan.FromMinutes(10));

        await grain.Run(async _ =>
        {
            var atFirst = CallDeadline.Remaining!.Value;
            await AssertAMinutePasses();
            using (CallDeadline.Suppress())
            {
                await AssertAMinutePasses();
            }

            Assert.Equal(atFirst - TimeSpan.FromMinutes(2), CallDeadline.Remaining);

            clock.Advance(TimeSpan.FromMinutes(8));
            Assert.Equal(TimeSpan.Zero, CallDeadline.Remaining);
        });

        Task AssertAMinutePasses()
        {
            using var scope = CallDeadline.Begin(TimeSpan.FromMinutes(1));
            Assert.Equal(TimeSpan.FromMinutes(1), CallDeadline.Remaining);
            clock.Advance(TimeSpan.FromMinutes(1));
            Assert.Equal(TimeSpan.Zero, CallDeadline.Remaining);
            return Task.CompletedTask;
        }
    }

    private static Task<InProcessTestCluster> Deploy(Action<ISiloBuilder> configure) => Clusters.Deploy(
        silos: 1,
        (_, silo) => configure(silo.UseInMemoryReminderService()),
        static client => client.AddCallCancellation());
}
