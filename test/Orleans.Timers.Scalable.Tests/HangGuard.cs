namespace Orleans.Timers.Scalable.Tests;

/// <summary>Turns an endless wait into a failure that names the awaited event.</summary>
internal static class HangGuard
{
    /// <summary>
    /// Less than the 30 seconds after which Orleans gives up calls, deactivations and stops. A test must not take that
    /// for the expected outcome.
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
