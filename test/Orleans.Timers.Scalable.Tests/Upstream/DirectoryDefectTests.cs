using System.Reflection;
using Orleans.Runtime.Placement;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests.Upstream;

public sealed class DirectoryDefectTests
{
    private const int Grains = 1_000;

    [Fact]
    public async Task Silo_Leaves_GrainsOfTheOtherAreDeactivatedToo()
    {
        var deactivated = await Leave(static _ => { });

        // The address of a silo decides which share of the grains its partition has. On average it is half. It has none
        // in one of a thousand runs.
        TestContext.Current.TestOutputHelper?.WriteLine(
            $"{deactivated} of {Grains} grains of the silo that stays were deactivated.");
        Defect.ShowsAgain(deactivated > 0, "A silo that leaves takes grains of others along");
    }

    [Fact]
    public async Task Silo_LeavesADistributedDirectory_GrainsOfTheOtherStay()
    {
#pragma warning disable ORLEANSEXP003 // It is experimental, and the cure.
        var deactivated = await Leave(static silo => silo.AddDistributedGrainDirectory());
#pragma warning restore ORLEANSEXP003

        Assert.Equal(0, deactivated);
    }

    /// <returns>How many grains of one silo are deactivated because another one leaves.</returns>
    private static async Task<int> Leave(Action<ISiloBuilder> configure)
    {
        await using var cluster = await Deploy(configure);
        var (survivor, leaver) = (cluster.Silos[0], cluster.Silos[1]);
        var activations = await ActivateIn(cluster, survivor);

        await cluster.StopSiloAsync(leaver);

        // The grains are told before the silo has left, and have nothing to do first.
        await Task.Delay(TimeSpan.FromSeconds(1), TestContext.Current.CancellationToken);
        return activations.Count(static activation => activation.Deactivated.IsCompleted);
    }

    private static async Task<InProcessTestCluster> Deploy(Action<ISiloBuilder> configure)
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 2);
        builder.Options.ConfigureFileLogging = false;

        // The test cluster has one directory of its own for all silos. Without it the silos use Orleans' default
        // directory.
        typeof(InProcessTestClusterOptions).GetProperty(
            "UseTestClusterGrainDirectory",
            BindingFlags.NonPublic | BindingFlags.Instance)!.SetValue(builder.Options, false);
        builder.ConfigureSilo((_, silo) => configure(silo));
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return cluster;
    }

    private static async Task<List<IGrainContext>> ActivateIn(InProcessTestCluster cluster, InProcessSiloHandle silo)
    {
        RequestContext.Set(IPlacementDirector.PlacementHintKey, silo.SiloAddress);
        var grains = Enumerable.Range(0, Grains)
            .Select(_ => silo.Grains().GetGrain<IUpstreamGrain>(Guid.NewGuid()))
            .ToList();
        await Task.WhenAll(grains.Select(static grain => grain.HoldFor(TimeSpan.Zero)));
        RequestContext.Clear();
        var activations = grains.Select(
            grain => cluster.TryGetGrainContext(grain.GetGrainId(), out var activation) ? activation : null)
            .ToList();
        Assert.All(activations, activation => Assert.Equal(silo.SiloAddress, activation?.Address.SiloAddress));
        return activations!;
    }
}
