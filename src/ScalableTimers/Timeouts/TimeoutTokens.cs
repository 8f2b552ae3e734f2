using System.Collections.Concurrent;
using System.Numerics;
using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Queues;
using ScalableTimers.Timers;

namespace ScalableTimers.Timeouts;

/// <summary>Shared tokens: time is divided into buckets, and timeouts that end in a bucket share its sources.</summary>
/// <remarks>
/// The first caller that needs a source creates it, and later ones find it without a lock. The sources are dropped when
/// their bucket ends, so there are never more than a few for each bucket in use.
/// </remarks>
/// <param name="queues">The queues of the service whose timers cancel the tokens.</param>
/// <param name="bucket">The width of a bucket.</param>
internal sealed class TimeoutTokens(QueueRegistry queues, TimeSpan bucket)
{
    private readonly ConcurrentDictionary<long, Source> _sources = new();

    // A power of two. Threads that register with one source wait for each other: .NET guards its registrations with a
    // lock. So a bucket has a source for about each processor (measured by the workload "tokens"); in virtual time
    // it has one, so that tests do not depend on threads.
    private readonly int _sourcesOfABucket = ReferenceEquals(queues.Clock.Provider, TimeProvider.System)
        ? int.Min(16, (int)BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount))
        : 1;

    // Its ticks are the buckets.
    private readonly TickClock _clock = new(queues.Clock.Provider, bucket);

    /// <summary>The number of live sources.</summary>
    internal int Count => _sources.Count;

    internal CancellationToken Get(TimeSpan timeout)
    {
        timeout = DueTime.Normalize(timeout);
        if (timeout == Timeout.InfiniteTimeSpan)
        {
            return CancellationToken.None;
        }

        if (timeout == TimeSpan.Zero)
        {
            return new CancellationToken(canceled: true);
        }

        // The first bucket that ends at or after the end of the timeout, and the source of this thread.
        var index = (_clock.DeadlineTick(timeout) * _sourcesOfABucket)
            + (Environment.CurrentManagedThreadId & (_sourcesOfABucket - 1));
        return (_sources.TryGetValue(index, out var source) ? source : Publish(index)).Token;
    }

    /// <summary>Creates a source, or returns the one that a faster thread has published.</summary>
    private Source Publish(long index)
    {
        // Schedule before publishing: if scheduling throws, no other thread has found a source that would never end.
        var created = new Source(_sources, index);
        var (timer, life) = CallbackEntry.Schedule(
            QueueRegistry.Current(queues),
            FiringItem.Resume,
            created,
            Until(index),
            CallbackEntry.OutlivesService);
        var published = _sources.GetOrAdd(index, created);
        if (!ReferenceEquals(published, created))
        {
            timer.TryCancel(life);
            return published;
        }

        // If the bucket ended before its source was published, the source tried to remove itself and found nothing.
        Interlocked.MemoryBarrier();
        if (Until(index) <= TimeSpan.Zero)
        {
            created.Remove();
        }

        return created;
    }

    private TimeSpan Until(long index) => _clock.Until(index / _sourcesOfABucket);

    /// <summary>A source of one bucket. It refers to nothing of the service but the other sources.</summary>
    internal sealed class Source(ConcurrentDictionary<long, Source> sources, long index)
        : CancellationTokenSource, IResumption
    {
        internal void Remove() => sources.TryRemove(KeyValuePair.Create(index, this));

        void IResumption.Resume()
        {
            Remove();
            Cancel();
        }
    }
}
