using System.Diagnostics;

namespace ScalableTimers.Compare.Workloads.Polling;

/// <summary>
/// The design of the original source: all requests that time out in one bucket of time share a source, which the first
/// of them creates under the lock of the bucket's partition.
/// </summary>
/// <remarks>
/// Written for comparison only. A dictionary keeps the buckets by their end. With partitions, the low bits of that
/// number choose the partition, and each partition has a dictionary and a lock. A thread disposes of the sources that
/// have ended. The sources and their timers are .NET's, and buckets are read off the clock that these timers use.
/// Sources are not created in advance.
/// </remarks>
internal sealed class BatchedSources : IDisposable
{
    // The default of ScalableTimerOptions.TimeoutTokenBucket.
    private const int BucketMilliseconds = 250;

    // A source must not be disposed of while it calls its registrations, which takes less than this.
    private const int KeptMilliseconds = 5_000;

    // Guards
    //   a dictionary   itself, as a lock
    private readonly Dictionary<long, CancellationTokenSource>[] _partitions;
    private readonly ManualResetEvent _end = new(false);
    private readonly Thread _cleaner;

    /// <param name="partitions">The number of locks, a power of two.</param>
    internal BatchedSources(int partitions)
    {
        Debug.Assert(int.IsPow2(partitions), "The low bits of a bucket choose the partition.");
        _partitions = [.. Enumerable.Range(0, partitions).Select(_ => new Dictionary<long, CancellationTokenSource>())];
        _cleaner = new Thread(Clean) { IsBackground = true };
        _cleaner.Start();
    }

    public void Dispose()
    {
        _end.Set();
        _cleaner.Join();
        _end.Dispose();
    }

    internal CancellationToken Get(TimeSpan timeout)
    {
        var now = Environment.TickCount64;
        var bucket = (now + (long)timeout.TotalMilliseconds + BucketMilliseconds - 1) / BucketMilliseconds;
        var partition = _partitions[bucket & (_partitions.Length - 1)];
        lock (partition)
        {
            if (!partition.TryGetValue(bucket, out var source))
            {
                source = new CancellationTokenSource(TimeSpan.FromMilliseconds((bucket * BucketMilliseconds) - now));
                partition.Add(bucket, source);
            }

            return source.Token;
        }
    }

    private void Clean()
    {
        while (!_end.WaitOne(BucketMilliseconds))
        {
            var before = (Environment.TickCount64 - KeptMilliseconds) / BucketMilliseconds;
            Array.ForEach(_partitions, partition => Remove(partition, before));
        }
    }

    private static void Remove(Dictionary<long, CancellationTokenSource> partition, long before)
    {
        List<CancellationTokenSource> ended = [];
        lock (partition)
        {
            foreach (var (bucket, source) in partition)
            {
                if (bucket < before)
                {
                    ended.Add(source);
                    partition.Remove(bucket);
                }
            }
        }

        ended.ForEach(static source => source.Dispose());
    }
}
