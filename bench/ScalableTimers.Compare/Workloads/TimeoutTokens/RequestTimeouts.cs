using System.Collections.Concurrent;

namespace ScalableTimers.Compare.Workloads.TimeoutTokens;

/// <summary>The ways to give a request its timeout.</summary>
internal static class RequestTimeouts
{
    /// <summary>The pattern of the original source: a token source for each request.</summary>
    internal static async Task<bool> NewSource(Upload upload, TimeSpan timeout)
    {
        using var source = new CancellationTokenSource(timeout);
        return await upload.WaitAsync(source.Token).ConfigureAwait(false);
    }

    /// <summary>Sources are kept if they can be reset.</summary>
    internal static Func<Upload, TimeSpan, Task<bool>> Pooled()
    {
        var pool = new ConcurrentQueue<CancellationTokenSource>();
        return async (upload, timeout) =>
        {
            if (!pool.TryDequeue(out var source))
            {
                source = new CancellationTokenSource();
            }

            source.CancelAfter(timeout);
            var isUploaded = await upload.WaitAsync(source.Token).ConfigureAwait(false);
            if (source.TryReset())
            {
                pool.Enqueue(source);
            }
            else
            {
                source.Dispose();
            }

            return isUploaded;
        };
    }

    internal static Func<Upload, TimeSpan, Task<bool>> SharedToken(TimerService timers) =>
        (upload, timeout) => upload.WaitAsync(timers.GetTimeoutToken(timeout));

    internal static Func<Upload, TimeSpan, Task<bool>> Lease(TimerService timers) => async (upload, timeout) =>
    {
        using var lease = timers.RentTimeout(timeout);
        return await upload.WaitAsync(lease.Token).ConfigureAwait(false);
    };
}
