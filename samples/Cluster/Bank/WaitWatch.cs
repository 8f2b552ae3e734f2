using System.Collections.Concurrent;
using System.Diagnostics;

namespace Cluster.Bank;

/// <summary>Checks a silo's waits with a precise clock: is any early or lost?</summary>
internal sealed class WaitWatch
{
    /// <summary>A wait that is overdue by this much when its silo is about to stop counts as lost.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    private readonly ConcurrentDictionary<long, long> _dueAt = [];
    private long _last;
    private long _ended;
    private long _early;
    private long _lost;
    private long _reminders;
    private long _earlyReminders;

    public WaitFigures Figures => new(
        Interlocked.Read(ref _ended),
        Interlocked.Read(ref _early),
        Interlocked.Read(ref _lost),
        Interlocked.Read(ref _reminders),
        Interlocked.Read(ref _earlyReminders));

    /// <summary>
    /// Called before the silo stops. Waits lost by a killed silo or late in a paused one do not count.
    /// </summary>
    public void CountLost()
    {
        var limit = Stopwatch.GetTimestamp() - (long)(s_patience.TotalSeconds * Stopwatch.Frequency);
        Interlocked.Exchange(ref _lost, _dueAt.Values.Count(due => due < limit));
    }

    /// <summary>Called before a wait begins.</summary>
    public long Begin(TimeSpan dueTime)
    {
        var wait = Interlocked.Increment(ref _last);
        _dueAt[wait] = Stopwatch.GetTimestamp() + (long)(dueTime.TotalSeconds * Stopwatch.Frequency);
        return wait;
    }

    public void End(long wait)
    {
        if (_dueAt.TryRemove(wait, out var due))
        {
            Interlocked.Increment(ref _ended);
            if (Stopwatch.GetTimestamp() < due)
            {
                Interlocked.Increment(ref _early);
            }
        }
    }

    /// <summary>Forgets a wait that ended with its activation.</summary>
    public void Drop(long wait) => _dueAt.TryRemove(wait, out _);

    public void CountReminder(bool isEarly)
    {
        Interlocked.Increment(ref _reminders);
        if (isEarly)
        {
            Interlocked.Increment(ref _earlyReminders);
        }
    }
}
