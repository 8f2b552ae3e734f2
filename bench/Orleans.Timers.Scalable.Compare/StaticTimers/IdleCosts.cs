using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using Microsoft.Extensions.Logging.Abstractions;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>
/// What do Orleans' static timers cost a process in which nothing happens, and how late do they come?
/// </summary>
internal static class IdleCosts
{
    private const int Rounds = 3;

    private static readonly TimeSpan s_settle = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan s_stretch = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_far = TimeSpan.FromMinutes(30);

    private static readonly Func<TimeSpan, CancellationToken, Task<bool>> s_delay = typeof(BatchWorker).Assembly
        .GetType("Orleans.Timers.Internal.TimerManager", throwOnError: true)!
        .GetMethod("Delay", BindingFlags.Static | BindingFlags.Public)!
        .CreateDelegate<Func<TimeSpan, CancellationToken, Task<bool>>>();

    internal static async Task Measure()
    {
        // Orleans begins to look at its timers with the first one.
        await s_delay(TimeSpan.FromMilliseconds(1), CancellationToken.None);
        Print($"| pending | Orleans, CPU ms a second | served |\n|---:|---:|---:|");
        foreach (var pending in (int[])[0, 50_000])
        {
            var (orleans, served) = (new List<double>(), new List<double>());
            for (var i = 0; i < pending; i++)
            {
                _ = s_delay(s_far, CancellationToken.None);
            }

            for (var round = 0; round < Rounds; round++)
            {
                orleans.Add(await MeasureIdle());
                await Served(async () => served.Add(await MeasureIdle()));
            }

            Print($"| {pending:N0} | {Range(orleans)} | {Range(served)} |");
        }

        Print($"\n### lateness\n\nHow late do 1,000 delays of 20 to 220 ms come, in ms?\n");
        Print($"| | least | p50 | p99 | most |\n|---|---:|---:|---:|---:|");
        await MeasureLateness("Orleans");
        await Served(() => MeasureLateness("served"));
    }

    private static async Task Served(Func<Task> measure)
    {
        StaticTimerUsers.Instance.Join(s_delay, NullLogger.Instance);
        await Task.Delay(s_settle);
        await measure();
        await StaticTimerUsers.Instance.Leave(s_delay);
    }

    private static async Task<double> MeasureIdle()
    {
        await Task.Delay(s_settle);
        var before = Environment.CpuUsage.TotalTime;
        await Task.Delay(s_stretch);
        return (Environment.CpuUsage.TotalTime - before).TotalMilliseconds / s_stretch.TotalSeconds;
    }

    private static async Task MeasureLateness(string who)
    {
        var late = await Task.WhenAll(Enumerable.Range(0, 50).Select(static async user =>
        {
            var all = new List<double>();
            for (var i = 0; i < 20; i++)
            {
                var dueTime = TimeSpan.FromMilliseconds(20 + (((user * 31) + (i * 17)) % 200));
                var start = Stopwatch.GetTimestamp();
                await s_delay(dueTime, CancellationToken.None);
                all.Add((Stopwatch.GetElapsedTime(start) - dueTime).TotalMilliseconds);
            }

            return all;
        }));
        var sorted = late.SelectMany(static all => all).Order().ToList();
        double Share(double share) => sorted[(int)(sorted.Count * share)];
        Print($"| {who} | {sorted[0]:F1} | {Share(0.5):F1} | {Share(0.99):F1} | {sorted[^1]:F1} |");
    }

    private static FormattableString Range(List<double> values) => $"{values.Min():F1} to {values.Max():F1}";

    private static void Print(FormattableString line) => Console.WriteLine(line.ToString(CultureInfo.InvariantCulture));
}
