using System.Reflection;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Orleans' static timer manager, as its own code calls it.</summary>
internal static class StaticDelays
{
    private static readonly Func<TimeSpan, CancellationToken, Task<bool>> s_delay = typeof(BatchWorker).Assembly
        .GetType("Orleans.Timers.Internal.TimerManager", throwOnError: true)!
        .GetMethod("Delay", BindingFlags.Static | BindingFlags.Public)!
        .CreateDelegate<Func<TimeSpan, CancellationToken, Task<bool>>>();

    internal static Task<bool> Delay(TimeSpan dueTime, CancellationToken cancellationToken = default) =>
        s_delay(dueTime, cancellationToken);

    /// <summary>
    /// Returns whether a delay ended with true and not early, by the wall clock.
    /// </summary>
    internal static async Task<bool> EndsOnTime(TimeSpan dueTime)
    {
        var due = DateTime.UtcNow + dueTime;
        return await Delay(dueTime) && DateTime.UtcNow >= due;
    }
}
