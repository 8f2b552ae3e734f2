using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;

namespace ScalableTimers.Timeouts;

/// <summary>
/// Shared timeout tokens: absolute time is divided into buckets, and timeouts that end in the same bucket share its
/// source.
/// </summary>
/// <remarks>
/// A source is dropped when its bucket ends, so there are never more sources than distinct buckets in flight. These are
/// the buckets that callers requested, and those that <see cref="TokensAhead"/> created in advance for frequently used
/// timeouts. An existing bucket is found without a lock. Its first user marks it, which is the only write, and notifies
/// <see cref="TokensAhead"/>.
/// </remarks>
internal sealed partial class TimeoutTokens
{
    private readonly ConcurrentDictionary<long, TimeoutTokenSource> _sources = new();
    private readonly TimerService _service;
    private readonly TickClock _clock;
    private readonly ILogger _logger;
    private readonly long _bucketDuration;
    private readonly TokensAhead _ahead;
    private long _failedRegistrations;

    internal TimeoutTokens(TimerService service, ScalableTimerOptions options, ILogger logger)
    {
        _service = service;
        _clock = service.Clock;
        _logger = logger;
        _bucketDuration = _clock.ToTimestampDuration(options.TimeoutTokenBucket);
        _ahead = new TokensAhead(this, service, options);
    }

    /// <summary>The number of live sources.</summary>
    internal int Count => _sources.Count;

    /// <summary>How many registrations have thrown.</summary>
    internal long FailedRegistrations => Interlocked.Read(ref _failedRegistrations);

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

        var index = IndexAt(_clock.DueAt(timeout));
        return _sources.TryGetValue(index, out var source) && source.IsUsed ? source.Token : UseFirst(index, timeout);
    }

    /// <summary>The bucket that ends at the given time, or otherwise the bucket that contains it.</summary>
    internal long IndexAt(long timestamp) => (timestamp + _bucketDuration - 1) / _bucketDuration;

    /// <summary>The time until the middle of a bucket.</summary>
    internal TimeSpan UntilMiddle(long index) =>
        _clock.UntilTimestamp((index * _bucketDuration) - (_bucketDuration / 2));

    internal TimeSpan UntilEnd(long index) => _clock.UntilTimestamp(index * _bucketDuration);

    /// <summary>Creates the source of a bucket that will probably be requested.</summary>
    internal void MakeAhead(long index)
    {
        if (_sources.ContainsKey(index))
        {
            return;
        }

        var source = Publish(index);
        if (_ahead.HasEnded)
        {
            DropIfUnused(source);
        }
    }

    /// <summary>Stops creating sources in advance and drops those that nobody has used. Sources in use stay.</summary>
    internal void EndAhead()
    {
        _ahead.End();
        foreach (var (_, source) in _sources)
        {
            DropIfUnused(source);
        }
    }

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
            Interlocked.Add(
                ref _failedRegistrations, exception is AggregateException all ? all.InnerExceptions.Count : 1);
            LogRegistrationFailed(_logger, exception);
        }
    }

    private CancellationToken UseFirst(long index, TimeSpan timeout)
    {
        while (true)
        {
            if (!_sources.TryGetValue(index, out var source))
            {
                source = Publish(index);
            }

            if (source.TryUse(out var isFirst))
            {
                if (isFirst)
                {
                    _ahead.Remember(IndexAt(_clock.ToTimestampDuration(timeout)), index);
                }

                return source.Token;
            }

            // The end of the service dropped the source. A source created now is driven by the clock.
            Remove(source);
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
        var created = new TimeoutTokenSource(this, index);
        try
        {
            created.Arm(_service.TimeProvider);
        }
        catch
        {
            created.TryDrop();
            throw;
        }

        var published = _sources.GetOrAdd(index, created);
        if (!ReferenceEquals(published, created))
        {
            created.TryDrop();
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

    private void DropIfUnused(TimeoutTokenSource source)
    {
        if (source.TryDrop())
        {
            Remove(source);
        }
    }

    private void Remove(TimeoutTokenSource source) => _sources.TryRemove(KeyValuePair.Create(source.Index, source));
}
