using System.Diagnostics;
using System.Globalization;
using Orleans.Timers.Internal;
using ScalableTimers;
using ScalableTimers.Compare.Reporting;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>What does a delay cost that is cancelled at once, on 1 to 2 × processors threads?</summary>
/// <remarks>
/// Orleans' own delay polls its token now and then. The others register with the token. The first row shows the cost of
/// that.
/// </remarks>
internal static class ManagedDelays
{
    private const int Rounds = 7;
    private const int Stock = 2;
    private static readonly TimeSpan s_dueTime = TimeSpan.FromSeconds(100);

    /// <param name="pairs">How many delays for each processor.</param>
    internal static void Measure(int pairs)
    {
        using var timers = new TimerService();
        var stock = (ITimerManager)Activator.CreateInstance(
            typeof(ITimerManager).Assembly.GetType("Orleans.Timers.Internal.TimerManagerImpl", throwOnError: true)!)!;
        var ours = new ScalableTimerManager(timers);
        (string Name, Func<TimeSpan, CancellationToken, Task> Delay)[] all =
        [
            ("a registration, no delay", static (_, token) => Register(token)),
            ("Task.Delay", Task.Delay),
            ("Orleans' ITimerManager", stock.Delay),
            ("the plugin's ITimerManager", ours.Delay),
        ];

        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Machine.Current()}. Medians of {Rounds} alternating rounds of "
                + $"{pairs * Environment.ProcessorCount:N0}.\n"));
        Console.WriteLine(
            "| timers | ns | CPU ns | a second | bytes | better by (spread) "
            + "|\n|---|---:|---:|---:|---:|---:|");
        foreach (var threads in (int[])[1, Environment.ProcessorCount, 2 * Environment.ProcessorCount])
        {
            // The first round warms up.
            var rounds = Enumerable.Range(0, 1 + Rounds)
                .Select(_ => all.Select(one => Run(one.Delay, threads, pairs)).ToList())
                .Skip(1)
                .ToList();
            for (var i = 0; i < all.Length; i++)
            {
                double Median(Func<Cost, double> value) =>
                    rounds.Select(round => value(round[i])).Order().ElementAt(Rounds / 2);
                var wall = Median(static cost => cost.Wall);
                var ratios = rounds.Select(round => round[Stock].Wall / round[i].Wall).Order().ToList();
                Console.WriteLine(string.Create(
                    CultureInfo.InvariantCulture,
                    $"| {all[i].Name}, {threads} thread{(threads == 1 ? "" : "s")} | {wall:N0} | "
                    + $"{Median(static cost => cost.Cpu):N0} | {1e9 / wall:N0} | "
                    + $"{Median(static cost => cost.Bytes):N0} | {ratios[Rounds / 2]:0.00} ({ratios[0]:0.00} to "
                    + $"{ratios[^1]:0.00}) |"));
            }
        }
    }

    private static Cost Run(Func<TimeSpan, CancellationToken, Task> delay, int threads, int pairsPerProcessor)
    {
        GC.Collect();
        var pairs = pairsPerProcessor * Environment.ProcessorCount;
        var all = Enumerable.Range(0, threads).Select(_ => new Thread(() => Repeat(delay, pairs / threads))).ToList();
        var bytes = GC.GetTotalAllocatedBytes(precise: true);
        var processor = Environment.CpuUsage.TotalTime;
        var start = Stopwatch.GetTimestamp();
        all.ForEach(static thread => thread.Start());
        all.ForEach(static thread => thread.Join());
        var wall = Stopwatch.GetElapsedTime(start);
        return new Cost(
            wall.TotalNanoseconds / pairs,
            (Environment.CpuUsage.TotalTime - processor).TotalNanoseconds / pairs,
            (double)(GC.GetTotalAllocatedBytes(precise: true) - bytes) / pairs);
    }

    private static void Repeat(Func<TimeSpan, CancellationToken, Task> delay, int pairs)
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource();
            _ = delay(s_dueTime, source.Token);
            source.Cancel();
        }
    }

    private static Task Register(CancellationToken token)
    {
        token.UnsafeRegister(static _ => { }, null);
        return Task.CompletedTask;
    }

    /// <summary>The cost of one delay.</summary>
    private readonly record struct Cost(double Wall, double Cpu, double Bytes);
}
