using System.Diagnostics;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Turns an endless wait into a failure that names the awaited event.</summary>
internal static class HangGuard
{
    /// <summary>
    /// Less than the 30 seconds after which Orleans gives up on calls, deactivations and stops. A test must not take
    /// that for the expected outcome.
    /// </summary>
    internal static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    /// <summary>Awaits a task, or fails.</summary>
    internal static async Task Guarded(this Task task, string awaited)
    {
        try
        {
            await task.WaitAsync(Limit, TestContext.Current.CancellationToken);
        }
        catch (TimeoutException) when (!task.IsCompleted)
        {
            Assert.Fail($"Waited {Limit.TotalSeconds} s for this, which did not happen: {awaited}.");
        }
    }

    /// <summary>Awaits a task, or fails.</summary>
    internal static async Task<T> Guarded<T>(this Task<T> task, string awaited)
    {
        await ((Task)task).Guarded(awaited);
        return await task;
    }
}

/// <summary>Waits for changes inside Orleans that raise no event a test could await.</summary>
internal static class Eventually
{
    internal static async Task True(Func<bool> condition, string awaited)
    {
        var start = Stopwatch.GetTimestamp();
        while (!condition())
        {
            Assert.True(
                Stopwatch.GetElapsedTime(start) < HangGuard.Limit,
                $"Waited {HangGuard.Limit.TotalSeconds} s for this, which did not happen: {awaited}.");
            await Task.Delay(5, TestContext.Current.CancellationToken);
        }
    }
}

/// <summary>Collects garbage, which may take several rounds.</summary>
internal static class Garbage
{
    internal static void CollectUntil(Func<bool> condition)
    {
        for (var i = 0; i < 20 && !condition(); i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }
}
