using System.Collections.Concurrent;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Polling;

/// <summary>What does the timeout of a long-polling request cost as the request rate grows?</summary>
/// <remarks>
/// Each request runs in the same kind of async method, whether or not it has something to clean up, so rows differ only
/// by the timeout.
/// </remarks>
internal static class LongPolling
{
    private static readonly int[] s_rates = [50_000, 400_000, 800_000];

    internal static Workload Workload { get; } = new(
        "long-polling",
        $"How much does a long-polling request cost that ends after {PollingLoad.UploadMilliseconds} ms, long before "
        + "its timeout, at more and more requests a second? (a second: the rate reached; all else is per request)",
        Column.Cpu,
        Contestants)
    {
        Rounds = 3,
    };

    private static IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        // One service is used for all rounds and rates, as in a server, so that its pooled objects are used again.
        var timers = new TimerService();
        var batched = new BatchedSources();
        (string Name, Func<Upload, TimeSpan, Task<bool>> Poll, IDisposable? Owned)[] ways =
        [
            ("new CancellationTokenSource", WithNewSource(TimeProvider.System), null),
            ("the same, TimeProvider", WithNewSource(timers.TimeProvider), null),
            ("the same, timers.CancelAfter", WithCancelAfter(timers), null),
            ("pooled, TryReset", WithPool(), null),
            ("batch, one lock", WithToken(batched.Get), batched),
            ("GetTimeoutToken", WithToken(timers.GetTimeoutToken), timers),
            ("no timeout at all", WithToken(static _ => CancellationToken.None), null),
        ];
        return
        [
            .. from rate in s_rates
               from way in ways
               select new Contestant(
                   $"{way.Name}, {rate / 1_000}k/s",
                   () => PollingLoad.Run(way.Poll, rate, milliseconds: 1_000 / Math.Min(4, scale.Divisor)))
               {
                   Against = $"{ways[0].Name}, {rate / 1_000}k/s",
                   Owned = rate == s_rates[^1] ? way.Owned : null,
               },
        ];
    }

    // The pattern of the text: a source for each request.
    private static Func<Upload, TimeSpan, Task<bool>> WithNewSource(TimeProvider clock) =>
        async (upload, timeout) =>
        {
            using var source = new CancellationTokenSource(timeout, clock);
            return await upload.WaitAsync(source.Token).ConfigureAwait(false);
        };

    private static Func<Upload, TimeSpan, Task<bool>> WithCancelAfter(TimerService timers) =>
        async (upload, timeout) =>
        {
            using var source = new CancellationTokenSource();
            using var timer = timers.CancelAfter(source, timeout);
            return await upload.WaitAsync(source.Token).ConfigureAwait(false);
        };

    private static Func<Upload, TimeSpan, Task<bool>> WithPool()
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

            return isUploaded;
        };
    }

    private static Func<Upload, TimeSpan, Task<bool>> WithToken(Func<TimeSpan, CancellationToken> get) =>
        async (upload, timeout) => await upload.WaitAsync(get(timeout)).ConfigureAwait(false);
}
