using System.Diagnostics;
using System.Globalization;

namespace ScalableTimers.OrleansCalls;

/// <summary>How late does a response timeout of 200 ms come?</summary>
internal static class Lateness
{
    private const int Calls = 1000;
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(200);

    internal static async Task Measure(Setup setup)
    {
        await using var cluster = await Clusters.Start(setup);
        var grains = cluster.Grains();
        var calls = new List<Task<double>>();
        for (var i = 0; i < Calls; i++)
        {
            calls.Add(TimeOut(grains.GetGrain<ICallee>(i % 50)));

            // A prime, so that calls do not fall in with any period.
            await Task.Delay(7);
        }

        var late = await Task.WhenAll(calls);
        Array.Sort(late);
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{setup}: {Calls} timeouts of {s_timeout.TotalMilliseconds} ms, late by (ms): least {late[0]:F0}, p50 {late[Calls / 2]:F0}, p99 {late[Calls * 99 / 100]:F0}, max {late[^1]:F0}"));
    }

    private static async Task<double> TimeOut(ICallee grain)
    {
        var start = Stopwatch.GetTimestamp();
        try
        {
            await grain.HangBriefly();
        }
        catch (TimeoutException)
        {
        }

        return (Stopwatch.GetElapsedTime(start) - s_timeout).TotalMilliseconds;
    }
}
