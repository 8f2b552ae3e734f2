using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using ScalableTimers.Driving;

namespace ScalableTimers.Timeouts;

/// <summary>Shared timeout tokens: absolute time is cut into buckets, and timeouts that end in one bucket share its source.</summary>
/// <remarks>A source is dropped when its bucket ends, so there are never more than distinct buckets in flight.</remarks>
internal sealed partial class TimeoutTokens(TimerService service, TimeSpan bucket, ILogger logger)
{
    private readonly ConcurrentDictionary<long, TimeoutTokenSource> _sources = new();
    private readonly TickClock _clock = service.Clock;
    private readonly long _bucketUnits = service.Clock.ToUnits(bucket);

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

        var index = (_clock.DueAt(timeout) + _bucketUnits - 1) / _bucketUnits;
        return _sources.TryGetValue(index, out var source) ? source.Token : Add(index);
    }

    internal TimeSpan UntilEnd(long index) => _clock.UntilUnits(index * _bucketUnits);

    internal void End(long index, CancellationTokenSource source)
    {
        _sources.TryRemove(index, out _);
        try
        {
            source.Cancel();
        }
#pragma warning disable CA1031 // Whatever a registration of one sharer throws is no concern of the others.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            LogRegistrationFailed(logger, exception);
        }
    }

    private CancellationToken Add(long index)
    {
        var created = new TimeoutTokenSource(this, index);
        var source = _sources.GetOrAdd(index, created);
        if (ReferenceEquals(source, created))
        {
            // Sharers that find the source before its timer is there lose nothing: the timer is about to be.
            created.Arm(service.TimeProvider);
        }
        else
        {
            created.Dispose();
        }

        return source.Token;
    }
}
