using System.Diagnostics;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// The cost of bounding and measuring phases for a transfer in two silos. Run it by its name, alone and on a quiet
/// machine.
/// </summary>
public sealed class PhaseCostTests
{
    private const int Rounds = 7;
    private const int Workers = 16;
    private static readonly TimeSpan s_round = TimeSpan.FromSeconds(2);

    [Fact(Explicit = true)]
    public async Task Transfer_WithoutWithBoundsAndMeasured_CostsThis()
    {
        var kinds = new (string Name, Action<ISiloBuilder> Configure)[]
        {
            ("Orleans alone", static _ => { }),
            (
                "deadline",
                static silo =>
                    silo.ConfigureTransactionPhases(static phases => phases.Deadline = TimeSpan.FromSeconds(10))),
            ("deadline and lock acquisition", static silo => silo.ConfigureTransactionPhases(static phases =>
            {
                phases.Deadline = TimeSpan.FromSeconds(10);
                phases.LockAcquisition = TimeSpan.FromSeconds(10);
            })),
            ("measured, nobody listens", static silo => silo.MeasureTransactionPhases()),
        };
        var clusters = new List<InProcessTestCluster>();
        foreach (var kind in kinds)
        {
            var builder = new InProcessTestClusterBuilder(initialSilosCount: 2);
            builder.Options.ConfigureFileLogging = false;
            builder.ConfigureSilo((_, silo) =>
            {
                silo.AddMemoryGrainStorage(AccountGrain.Storage).UseTransactions().AddScalableTimers();
                kind.Configure(silo);
            });
            clusters.Add(builder.Build());
            await clusters[^1].DeployAsync();
        }

        var results = kinds.Select(static _ => new List<(double Rate, double Cpu, double Bytes)>()).ToList();
        for (var round = -1; round < Rounds; round++)
        {
            for (var kind = 0; kind < kinds.Length; kind++)
            {
                var result = await Run(clusters[kind].Silos[0].Grains());
                if (round >= 0)
                {
                    results[kind].Add(result);
                }
            }
        }

        foreach (var (kind, rounds) in kinds.Zip(results))
        {
            TestContext.Current.TestOutputHelper?.WriteLine(
                $"{kind.Name}: {Median(rounds.Select(static result => result.Rate)):f0} transfers/s, "
                + $"{Median(rounds.Select(static result => result.Cpu)):f0} µs of CPU, "
                + $"{Median(rounds.Select(static result => result.Bytes)):f0} bytes a transfer");
        }

        foreach (var cluster in clusters)
        {
            await cluster.DisposeAsync();
        }
    }

    private static async Task<(double Rate, double Cpu, double Bytes)> Run(IGrainFactory grains)
    {
        var bank = Guid.NewGuid();
        GC.Collect();
        var (cpu, bytes, start, transfers) = (
            Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(), Stopwatch.GetTimestamp(), 0);
        await Task.WhenAll(Enumerable.Range(0, Workers).Select(Work));
        var took = Stopwatch.GetElapsedTime(start);
        return (transfers / took.TotalSeconds,
            (Environment.CpuUsage.TotalTime - cpu).TotalMicroseconds / transfers,
            (double)(GC.GetTotalAllocatedBytes() - bytes) / transfers);

        async Task Work(int worker)
        {
            while (Stopwatch.GetElapsedTime(start) < s_round)
            {
                await grains.GetGrain<ITransferGrain>(worker)
                    .Transfer($"{bank}/{worker}/from", $"{bank}/{worker}/to", 1, TimeSpan.Zero, fail: false);
                Interlocked.Increment(ref transfers);
            }
        }
    }

    private static double Median(IEnumerable<double> values)
    {
        var sorted = values.Order().ToList();
        return sorted[sorted.Count / 2];
    }
}
