using System.Collections.Concurrent;

namespace ScalableTimers.Compare.Workloads.TimeoutTokens;

/// <summary>The ways to give a request its timeout.</summary>
/// <remarks>
/// In each way but one, the same kind of asynchronous method is around the request, whether or not it has something to
/// end afterwards. So rows differ by the timeout only.
/// </remarks>
internal static class RequestTimeouts
{
    internal const string NewSourceName = "new CancellationTokenSource";
    internal const string SharedTokenName = "GetTimeoutToken";

    /// <summary>The pattern of the original source: a token source for each request.</summary>
    internal static PollingWay NewSource() => new(NewSourceName, static async (upload, timeout) =>
    {
        using var source = new CancellationTokenSource(timeout);
        return await upload.WaitAsync(source.Token).ConfigureAwait(false);
    });

    /// <summary>Sources are kept if they can be reset.</summary>
    internal static PollingWay Pooled()
    {
        var pool = new ConcurrentQueue<CancellationTokenSource>();
        return new PollingWay("pooled, TryReset", async (upload, timeout) =>
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
        });
    }

    internal static PollingWay SharedToken(TimerService timers) => Of(SharedTokenName, timers.GetTimeoutToken, timers);

    /// <summary>The difference to <see cref="SharedToken"/> is the price of the method around the request.</summary>
    internal static PollingWay SharedTokenWithoutMethod(TimerService timers) => new(
        $"{SharedTokenName}, no async method around",
        (upload, timeout) => upload.WaitAsync(timers.GetTimeoutToken(timeout)),
        timers);

    /// <summary>Each token is created by the first request of its bucket.</summary>
    internal static PollingWay SharedTokenNotAhead()
    {
        var timers = new TimerService(new ScalableTimerOptions { TimeoutTokenReuseWindow = TimeSpan.Zero });
        return Of($"{SharedTokenName}, none ahead", timers.GetTimeoutToken, timers);
    }

    /// <summary>The design of the original source.</summary>
    internal static PollingWay Batched(int partitions)
    {
        var sources = new BatchedSources(partitions);
        return Of(partitions == 1 ? "batch, one lock" : $"batch, {partitions} locks", sources.Get, sources);
    }

    internal static PollingWay Lease(TimerService timers) => new(
        "RentTimeout",
        async (upload, timeout) =>
        {
            using var lease = timers.RentTimeout(timeout);
            return await upload.WaitAsync(lease.Token).ConfigureAwait(false);
        },
        timers);

    /// <summary>What all of them cost besides the timeout.</summary>
    internal static PollingWay None() => Of("no timeout at all", static _ => CancellationToken.None, owned: null);

    private static PollingWay Of(string name, Func<TimeSpan, CancellationToken> get, IDisposable? owned) => new(
        name, async (upload, timeout) => await upload.WaitAsync(get(timeout)).ConfigureAwait(false), owned);
}
