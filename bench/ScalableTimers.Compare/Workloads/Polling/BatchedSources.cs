namespace ScalableTimers.Compare.Workloads.Polling;

/// <summary>
/// The design of the original source: all requests that time out in one bucket of time share a source, which the first
/// of them creates under a lock.
/// </summary>
/// <remarks>
/// For comparison only. A dictionary keeps the buckets by their end, and a timer disposes of expired sources. Sources
/// and timers are .NET's, and buckets follow the clock that these timers use. Sources are not created in advance.
/// </remarks>
internal sealed class BatchedSources : IDisposable
{
    // The default of TimerServiceOptions.TimeoutTokenBucket.
    private const int BucketMilliseconds = 250;

    // A source must not be disposed of while it calls its registrations, which takes less than this.
    private const int KeptMilliseconds = 5_000;

    // Guards
    //   _sources   itself, as a lock
    private readonly Dictionary<long, CancellationTokenSource> _sources = [];
    private readonly Timer _cleaner;

    internal BatchedSources() =>
        _cleaner = new Timer(_ => RemoveEnded(), null, BucketMilliseconds, BucketMilliseconds);

    public void Dispose() => _cleaner.Dispose();

    internal CancellationToken Get(TimeSpan timeout)
    {
        var now = Environment.TickCount64;
        var bucket = (now + (long)timeout.TotalMilliseconds + BucketMilliseconds - 1) / BucketMilliseconds;
        lock (_sources)
        {
            if (!_sources.TryGetValue(bucket, out var source))
            {
                source = new CancellationTokenSource(TimeSpan.FromMilliseconds((bucket * BucketMilliseconds) - now));
                _sources.Add(bucket, source);
            }

            return source.Token;
        }
    }

    private void RemoveEnded()
    {
        var before = (Environment.TickCount64 - KeptMilliseconds) / BucketMilliseconds;
        lock (_sources)
        {
            foreach (var (bucket, source) in _sources.Where(pair => pair.Key < before).ToList())
            {
                _sources.Remove(bucket);
                source.Dispose();
            }
        }
    }
}
