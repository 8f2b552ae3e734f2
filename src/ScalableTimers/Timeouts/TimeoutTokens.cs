using System.Collections.Concurrent;
using ScalableTimers.Clock;

namespace ScalableTimers.Timeouts;

/// <summary>
/// Shared timeout tokens: absolute time is divided into buckets, and timeouts that end in the same bucket share its
/// source.
/// </summary>
/// <remarks>
/// The first caller that needs a bucket creates its source. The source is dropped when its bucket ends, so there are
/// never more sources than distinct buckets in flight. Callers that come later find it without a lock.
/// </remarks>
internal sealed class TimeoutTokens
{
    private readonly ConcurrentDictionary<long, TimeoutTokenSource> _sources = new();
    private readonly TimeProvider _timers;
    private readonly TickClock _clock;
    private readonly FailedRegistrations _failed;
    private readonly long _bucketDuration;

    /// <param name="service">The service whose timers cancel the tokens.</param>
    /// <param name="bucket">The width of a bucket.</param>
    /// <param name="failed">What receives the exceptions of registrations.</param>
    internal TimeoutTokens(TimerService service, TimeSpan bucket, FailedRegistrations failed)
    {
        _timers = service.TimeProvider;
        _clock = service.Clock;
        _failed = failed;
        _bucketDuration = _clock.ToTimestampDuration(bucket);
    }

    /// <summary>The number of live sources.</summary>
    internal int Count => _sources.Count;

    internal CancellationToken Get(TimeSpan timeout)
    {
        timeout = DueTime.Normalize(timeout);
        DueTime.ThrowIfNotTimerRange(timeout, nameof(timeout));
        if (timeout == Timeout.InfiniteTimeSpan)
        {
            return CancellationToken.None;
        }

        if (timeout == TimeSpan.Zero)
        {
            return new CancellationToken(canceled: true);
        }

        // The bucket that ends when the timeout does, or otherwise the one in which it does.
        var index = (_clock.DueAt(timeout) + _bucketDuration - 1) / _bucketDuration;
        return (_sources.TryGetValue(index, out var source) ? source : Publish(index)).Token;
    }

    internal TimeSpan UntilEnd(long index) => _clock.UntilTimestamp(index * _bucketDuration);

    internal void End(TimeoutTokenSource source)
    {
        Remove(source);
        try
        {
            source.Cancel();
        }
#pragma warning disable CA1031 // An exception of one sharer's registration must not affect the others.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            _failed.Report(exception);
        }
    }

    /// <summary>
    /// Creates the source of a bucket, unless another thread does so at the same time. Returns the source that is
    /// published.
    /// </summary>
    private TimeoutTokenSource Publish(long index)
    {
        // Arm before publishing. If arming throws, the caller gets the exception, and no other thread has found a
        // source that would never end.
        var created = new TimeoutTokenSource(this, index, _timers);
        var published = _sources.GetOrAdd(index, created);
        if (!ReferenceEquals(published, created))
        {
            created.Drop();
            return published;
        }

        // If the bucket ended in between, the source tried to remove itself before it was published, and found nothing.
        Interlocked.MemoryBarrier();
        if (UntilEnd(index) <= TimeSpan.Zero)
        {
            Remove(created);
        }

        return created;
    }

    private void Remove(TimeoutTokenSource source) => _sources.TryRemove(KeyValuePair.Create(source.Index, source));
}
