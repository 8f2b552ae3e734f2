using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>How late does a response timeout of 200 ms come, and one that is chosen at run time?</summary>
/// <remarks>Prints a row. <c>bench/run-all.sh</c> makes the table of rows from several processes.</remarks>
internal static class Lateness
{
    private const int Calls = 1000;
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(200);

    internal static async Task Measure(Setup setup, bool isChosenAtRunTime)
    {
        await using var cluster = await Clusters.Start(setup);
        var grains = cluster.Grains();
        var timers = isChosenAtRunTime ? cluster.Silos[0].ServiceProvider.GetRequiredService<TimerService>() : null;
        var calls = new List<Task<double>>();
        for (var i = 0; i < Calls; i++)
        {
            calls.Add(TimeOut(grains.GetGrain<ICallee>(i % 50), timers));

            // The number is a prime, so that the calls are not in step with any period.
            await Task.Delay(7);
        }

        var late = await Task.WhenAll(calls);
        Array.Sort(late);
        var who = isChosenAtRunTime ? "`WithTimeout`" : setup == Setup.Stock ? "Orleans alone" : "with scalable timers";
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {who} | {late[0]:N0} ms | {late[Calls / 2]:N0} ms | {late[Calls * 99 / 100]:N0} ms "
            + $"| {late[^1]:N0} ms |"));
    }

    private static async Task<double> TimeOut(ICallee grain, TimerService? timers)
    {
        var start = Stopwatch.GetTimestamp();
        try
        {
            await (timers?.WithTimeout(grain.Hang(), s_timeout) ?? grain.HangBriefly());
        }
        catch (TimeoutException)
        {
        }

        return (Stopwatch.GetElapsedTime(start) - s_timeout).TotalMilliseconds;
    }
}
