using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;

namespace ScalableTimers.Firing;

/// <summary>Measures how late timers fire, and warns of what holds them up.</summary>
internal sealed partial class FiringWatch(TickClock clock, ILogger? logger)
{
    /// <summary>A batch that waits longer than this for a pool thread is worth a warning.</summary>
    private static readonly TimeSpan s_longPoolWait = TimeSpan.FromMilliseconds(500);

    private static readonly TimeSpan s_warningPause = TimeSpan.FromSeconds(10);

    // Guards
    //   counters   interlocked; _warnAgainAt is a timestamp
    private Histogram<double>? _lateness;
    private TagList _latenessTags;
    private long _late;
    private long _warnAgainAt;

    /// <summary>How many timers have waited long for a pool thread.</summary>
    internal long Late => Volatile.Read(ref _late);

    /// <summary>Sets the histogram of how late a sample of the timers fires. Called before the first timer.</summary>
    internal void MeasureLateness(Histogram<double> histogram, TagList tags)
    {
        _lateness = histogram;
        _latenessTags = tags;
    }

    /// <summary>How late something with a deadline is now; null if nobody listens.</summary>
    internal Duration? LatenessOf(long deadlineTick) =>
        _lateness is { Enabled: true } ? clock.ElapsedSince(deadlineTick, clock.Now()) : null;

    // A listener's exception must not end the thread, and its changes to the thread's contexts must not reach the next
    // callback.
    internal void Record(Duration lateness)
    {
        var context = new ThreadContext();
        try
        {
            _lateness!.Record(clock.ToSeconds(lateness), in _latenessTags);
        }
#pragma warning disable CA1031 // A listener may throw anything.
        catch (Exception)
#pragma warning restore CA1031
        {
        }

        context.Restore();
    }

    /// <summary>Whether items that have waited so long for a pool thread are counted as late.</summary>
    internal bool IsLong(Duration wait) => wait >= clock.ToDuration(s_longPoolWait);

    /// <summary>Counts items whose long wait has ended, and logs it unless that was done recently.</summary>
    internal void AddLate(int count, Timestamp now, Duration wait)
    {
        Interlocked.Add(ref _late, count);
        if (logger is not null && IsTimeToWarn(now))
        {
            LogPoolStarved(logger, count, clock.ToTimeSpan(wait));
        }
    }

    private bool IsTimeToWarn(Timestamp now)
    {
        var warnAgainAt = Volatile.Read(ref _warnAgainAt);
        return now.Units >= warnAgainAt
            && Interlocked.CompareExchange(
                ref _warnAgainAt, (now + clock.ToDuration(s_warningPause)).Units, warnAgainAt) == warnAgainAt;
    }

    [LoggerMessage(
        2,
        LogLevel.Warning,
        "{Count} expired timers waited {Wait} for a thread pool thread. Something is blocking pool threads, so timers "
        + "fire late.")]
    private static partial void LogPoolStarved(ILogger logger, int count, TimeSpan wait);
}
