using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>What does a call filter cost a call, and what a timeout chosen at run time?</summary>
/// <remarks>Calls within a silo, one after the other. The variants alternate, and the quickest round counts.</remarks>
internal static class TimeoutCosts
{
    private const int Rounds = 7;
    private const int Calls = 50_000;
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(10);

    internal static async Task Measure()
    {
        await using var plain = await Clusters.Start(Setup.Scalable);
        await using var empty = await Clusters.Start(
            Setup.Scalable, static silo => silo.AddOutgoingGrainCallFilter(static context => context.Invoke()));
        await using var ours = await Clusters.Start(Setup.Scalable, static silo => silo.AddCallTimeouts());
        var timers = plain.Silos[0].ServiceProvider.GetRequiredService<TimerService>();
        var (direct, filtered, bounded) = (Grain(plain), Grain(empty), Grain(ours));
        (string Name, Func<Task> Call, bool IsAmbient)[] ways =
        [
            ("no filter", () => direct.Answer(), false),
            ("no filter, `WithTimeout(call)`", () => timers.WithTimeout(direct.Answer(), s_timeout), false),
            ("an empty filter for calls that leave", () => filtered.Answer(), false),
            ("`AddCallTimeouts`, no scope", () => bounded.Answer(), false),
            ("`AddCallTimeouts`, in a scope", () => bounded.Answer(), true),
            ("no filter, method with a token", () => direct.AnswerCancellable(default), false),
            (
                "no filter, `WithTimeout(token => call)`",
                () => timers.WithTimeout(token => direct.AnswerCancellable(token), s_timeout),
                false),
            ("`AddCallTimeouts`, method with a token, in a scope", () => bounded.AnswerCancellable(default), true),
        ];
        var costs = ways.Select(static _ => new List<(double Nanoseconds, double Bytes)>()).ToArray();
        for (var round = 0; round <= Rounds; round++)
        {
            for (var i = 0; i < ways.Length; i++)
            {
                using var scope = ways[i].IsAmbient ? CallTimeout.Begin(s_timeout) : default;
                var cost = await Round(ways[i].Call);

                // The first round warms up the compiler.
                if (round > 0)
                {
                    costs[i].Add(cost);
                }
            }
        }

        Console.WriteLine("| calls within a silo | ns a call | median | bytes a call |\n|---|---:|---:|---:|");
        for (var i = 0; i < ways.Length; i++)
        {
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {ways[i].Name} | {costs[i].Min(static cost => cost.Nanoseconds):N0} | "
                + $"{costs[i].Select(static cost => cost.Nanoseconds).Order().ElementAt(Rounds / 2):N0} | "
                + $"{costs[i].Min(static cost => cost.Bytes):N0} |"));
        }
    }

    private static ICallee Grain(InProcessTestCluster cluster) => cluster.Grains().GetGrain<ICallee>(1);

    private static async Task<(double Nanoseconds, double Bytes)> Round(Func<Task> call)
    {
        var (start, before) = (Stopwatch.GetTimestamp(), GC.GetTotalAllocatedBytes(precise: true));
        for (var i = 0; i < Calls; i++)
        {
            await call();
        }

        return (
            Stopwatch.GetElapsedTime(start).TotalNanoseconds / Calls,
            (GC.GetTotalAllocatedBytes(precise: true) - before) / (double)Calls);
    }
}
