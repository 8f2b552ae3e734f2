using System.Diagnostics;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Experiment;

/// <summary>Measures how long delays take.</summary>
internal static class DelayProbe
{
    /// <summary>Starts all delays on the calling thread, in order, then waits for them.</summary>
    public static Task<TimeSpan[]> MeasureAsync(DemoTimers timers, TimeSpan[] dueTimes) =>
        Task.WhenAll(dueTimes.Select(dueTime => MeasureAsync(timers, dueTime)).ToArray());

    private static async Task<TimeSpan> MeasureAsync(DemoTimers timers, TimeSpan dueTime)
    {
        var startedAt = Stopwatch.GetTimestamp();
        await timers.DelayAsync(dueTime).ConfigureAwait(false);
        return Stopwatch.GetElapsedTime(startedAt);
    }
}
