using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// What diagnostics cost a call within one silo, one at a time: the rows of <c>bench/results/call-diagnostics.md</c>,
/// which <c>bench/run-all.sh call-diagnostics</c> takes.
/// </summary>
public sealed class CallDiagnosticsCostTests
{
    private const int Rounds = 15;
    private const int Calls = 50_000;

    [Fact(Explicit = true)]
    public async Task Call_WithoutWithEmptyFiltersAndWithDiagnostics_CostsThis()
    {
        var kinds = new (string Name, Action<ISiloBuilder> Configure)[]
        {
            ("no filter", static _ => { }),
            (
                "filters that do nothing",
                static silo => silo
                    .AddOutgoingGrainCallFilter(static context => context.Invoke())
                    .AddIncomingGrainCallFilter(static context => context.Invoke())),
            ("diagnostics, `QueueTimeSampling` 0", static silo => silo.AddCallDiagnostics(Sample(0))),
            ("diagnostics, the default of 16", static silo => silo.AddCallDiagnostics()),
            ("diagnostics, `QueueTimeSampling` 1", static silo => silo.AddCallDiagnostics(Sample(1))),
        };
        var clusters = new List<InProcessTestCluster>();
        foreach (var kind in kinds)
        {
            var builder = new InProcessTestClusterBuilder(initialSilosCount: 1);
            builder.Options.ConfigureFileLogging = false;
            builder.Options.InitializeClientOnDeploy = false;
            builder.ConfigureSilo((_, silo) =>
            {
                silo.Services.AddLogging(static logging => logging.ClearProviders());
                kind.Configure(silo.AddScalableTimers());
            });
            clusters.Add(builder.Build());
            await clusters[^1].DeployAsync();
        }

        var results = kinds.Select(static _ => new List<(double Nanoseconds, double Bytes)>()).ToList();
        for (var round = -2; round < Rounds; round++)
        {
            for (var kind = 0; kind < kinds.Length; kind++)
            {
                var result = await Run(clusters[kind].Silos[0].Grains().GetGrain<IDiagnosedGrain>(Guid.NewGuid()));
                if (round >= 0)
                {
                    results[kind].Add(result);
                }
            }
        }

        foreach (var (kind, rounds) in kinds.Zip(results))
        {
            TestContext.Current.TestOutputHelper?.WriteLine(
                $"| {kind.Name} | {Median(rounds.Select(static result => result.Nanoseconds)):N0} | "
                + $"{rounds.Min(static result => result.Nanoseconds):N0} | "
                + $"{Median(rounds.Select(static result => result.Bytes)):N0} |");
        }

        foreach (var cluster in clusters)
        {
            await cluster.DisposeAsync();
        }
    }

    private static Action<CallDiagnosticsOptions> Sample(int sampling) =>
        options => options.QueueTimeSampling = sampling;

    private static async Task<(double Nanoseconds, double Bytes)> Run(IDiagnosedGrain grain)
    {
        await grain.Echo(0);
        var (bytes, start) = (GC.GetTotalAllocatedBytes(), Stopwatch.GetTimestamp());
        for (var i = 0; i < Calls; i++)
        {
            await grain.Echo(i);
        }

        return (Stopwatch.GetElapsedTime(start).TotalNanoseconds / Calls,
            (double)(GC.GetTotalAllocatedBytes() - bytes) / Calls);
    }

    private static double Median(IEnumerable<double> values)
    {
        var sorted = values.Order().ToList();
        return sorted[sorted.Count / 2];
    }
}
