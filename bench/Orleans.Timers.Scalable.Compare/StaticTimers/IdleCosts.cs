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
    private static readonly TimeSpan s_settle = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan s_stretch = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_far = TimeSpan.FromMinutes(30);

    private static readonly Func<TimeSpan, CancellationToken, Task<bool>> s_delay = typeof(BatchWorker).Assembly
        .GetType("Orleans.Timers.Internal.TimerManager", throwOnError: true)!
        .GetMethod("Delay", BindingFlags.Static | BindingFlags.Public)!
        .CreateDelegate<Func<TimeSpan, CancellationToken, Task<bool>>>();

    internal static async Task Measure()
    {
        foreach (var pending in (int[])[0, 50_000])
        {
            for (var i = 0; i < pending; i++)
            {
                _ = s_delay(s_far, CancellationToken.None);
            }

            for (var round = 0; round < 3; round++)
            {
                await MeasureIdle("Orleans", pending);
                await Served(() => MeasureIdle("served", pending));
            }
        }

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

    private static async Task MeasureIdle(string who, int pending)
    {
        await Task.Delay(s_settle);
        var before = Environment.CpuUsage.TotalTime;
        await Task.Delay(s_stretch);
        var used = (Environment.CpuUsage.TotalTime - before).TotalMilliseconds / s_stretch.TotalSeconds;
        Print($"{who}, {pending} pending: {used:F2} ms of processor time a second");
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
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{who}: {sorted.Count} delays of 20 to 220 ms late by {sorted[0]:F1} ms at least, p50 "
            + $"{sorted[sorted.Count / 2]:F1}, p99 {sorted[sorted.Count * 99 / 100]:F1}, at most {sorted[^1]:F1}"));
    }

    private static void Print(FormattableString line) => Console.WriteLine(line.ToString(CultureInfo.InvariantCulture));
}
