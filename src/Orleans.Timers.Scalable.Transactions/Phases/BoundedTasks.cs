namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Waits for tasks for a limited time without ending them.</summary>
internal static class BoundedTasks
{
    /// <summary>Waits until the task has ended in any way, but not longer than a bound.</summary>
    /// <returns>Whether the task has ended. Its exception, if any, is not thrown here.</returns>
    internal static async ValueTask<bool> EndsWithin(this Task task, TimeSpan? bound, TimeProvider clock)
    {
        if (bound is { } limit && !task.IsCompleted)
        {
            // The result is the state of the task, not of the wait, because the task may end while the wait gives up.
            await task.WaitAsync(limit, clock).ConfigureAwait(
                ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
            return task.IsCompleted;
        }

        return true;
    }
}
