namespace Orleans.Timers.Scalable;

/// <summary>Waits for tasks for a limited time without ending them.</summary>
internal static class BoundedTasks
{
    /// <summary>Waits until the task has ended, however it has, but not for longer than a bound.</summary>
    /// <returns>Whether it has ended. Its exception, if any, has not been thrown.</returns>
    internal static async ValueTask<bool> EndsWithin(this Task task, TimeSpan? bound, TimeProvider clock)
    {
        if (bound is { } limit && !task.IsCompleted)
        {
            // The task's own state is looked at, and not the wait's: it may end while the wait gives up.
            await task.WaitAsync(limit, clock).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
            return task.IsCompleted;
        }

        return true;
    }
}
