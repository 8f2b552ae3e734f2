using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;

namespace ScalableTimers.Timeouts;

/// <summary>
/// Shared timeout tokens: absolute time is cut into buckets, and timeouts that end in one bucket share its source.
/// </summary>
/// <remarks>
/// A source is dropped when its bucket ends, so there are never more than distinct buckets in flight: those that were
/// asked for, and those that <see cref="TokensAhead"/> has made for timeouts that are used again and again. A bucket
/// that exists is found without a lock; whoever uses it first marks it, which is the only write, and tells
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

    /// <summary>The bucket that ends at a time, or else the one around it.</summary>
    internal long IndexAt(long timestamp) => (timestamp + _bucketDuration - 1) / _bucketDuration;

    /// <summary>How long it is until the middle of a bucket.</summary>
    internal TimeSpan UntilMiddle(long index) =>
        _clock.UntilTimestamp((index * _bucketDuration) - (_bucketDuration / 2));

    internal TimeSpan UntilEnd(long index) => _clock.UntilTimestamp(index * _bucketDuration);

    /// <summary>Makes the source of a bucket that somebody is expected to ask for.</summary>
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

    /// <summary>Stops making sources ahead and drops those that nobody has used. Those that are used go on.</summary>
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
#pragma warning disable CA1031 // Whatever a registration of one sharer throws is no concern of the others.
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

            // Dropped by the service's end. What is made now belongs to the clock.
            Remove(source);
        }
    }

    /// <summary>
    /// Makes the source of a bucket, unless somebody else does at the same time, and returns what there is then.
    /// </summary>
    private TimeoutTokenSource Publish(long index)
    {
        // Armed first. If that fails the caller hears of it, and nobody else has found a source that would never end.
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

        // If the bucket's end came in between, the source looked for itself before it was there to be removed.
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
