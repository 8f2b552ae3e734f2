namespace Orleans.Timers.Scalable.Tests;

/// <summary>Turns a wait that does not end into a failure that says what was waited for.</summary>
internal static class HangGuard
{
    /// <summary>
    /// Less than the 30 seconds after which Orleans gives up on calls, deactivations and stops, which must not pass for
    /// an outcome.
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
