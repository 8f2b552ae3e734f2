using System.Diagnostics;
using System.Globalization;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>What does it cost to look for response timeouts while calls are outstanding?</summary>
/// <remarks>
/// The processor time of a process with two silos, including all their other work. Prints a cell;
/// <c>bench/run-all.sh</c> makes the table.
/// </remarks>
internal static class Outstanding
{
    private static readonly TimeSpan s_settle = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_stretch = TimeSpan.FromSeconds(5);

    internal static async Task Measure(Setup setup, int calls)
    {
        await using var cluster = await Clusters.Start(setup);
        var grains = cluster.Grains();
        for (var i = 0; i < calls; i++)
        {
            grains.GetGrain<ICallee>(i % 500).Hang().Ignore();
            if (i % 1000 == 999)
            {
                await Task.Delay(20);
            }
        }

        await Task.Delay(s_settle);
        var shares = new double[4];
        for (var i = 0; i < shares.Length; i++)
        {
            var (start, before) = (Stopwatch.GetTimestamp(), Environment.CpuUsage.TotalTime);
            await Task.Delay(s_stretch);
            shares[i] = (Environment.CpuUsage.TotalTime - before) / Stopwatch.GetElapsedTime(start);
        }

        Console.Write(string.Create(CultureInfo.InvariantCulture, $" {shares.Min():F3} to {shares.Max():F3} |"));
        Environment.Exit(0);
    }
}
