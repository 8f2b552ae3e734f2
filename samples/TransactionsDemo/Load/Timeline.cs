using System.Diagnostics;

namespace TransactionsDemo.Load;

/// <summary>When the transfers of a load ended. All methods but the beginning may be called from any thread.</summary>
internal sealed class Timeline(TimeSpan duration)
{
    /// <summary>The width of a slot.</summary>
    public static readonly TimeSpan Slot = TimeSpan.FromMilliseconds(100);

    private static readonly long s_slotLength = Stopwatch.Frequency / 10;

    private readonly int[] _committed = new int[(int)Math.Ceiling(duration / Slot)];
    private readonly int[] _failed = new int[(int)Math.Ceiling(duration / Slot)];
    private readonly LatencyTimeline _latencies = new(duration);
    private long _startedAt;
    private long _lastEndedAt;
    private long _longestPause;

    /// <summary>How many transfers were committed in each slot since the beginning.</summary>
    public IReadOnlyList<int> CommittedBySlot => _committed;

    /// <summary>How many ended otherwise.</summary>
    public IReadOnlyList<int> FailedBySlot => _failed;

    /// <summary>How many ended, and how long they had taken, over time.</summary>
    public IReadOnlyList<LatencySlot> Latencies => _latencies.Read();

    /// <summary>How long it has been going on.</summary>
    public TimeSpan Elapsed => Stopwatch.GetElapsedTime(_startedAt);

    /// <summary>The longest time in which no transfer ended, with any outcome.</summary>
    public TimeSpan LongestPause => Stopwatch.GetElapsedTime(0, Interlocked.Read(ref _longestPause));

    private long EndsAt => _startedAt + (long)(duration.TotalSeconds * Stopwatch.Frequency);

    /// <summary>Starts it.</summary>
    /// <returns>The timestamp at which it ends.</returns>
    public long Begin()
    {
        _startedAt = Stopwatch.GetTimestamp();
        _lastEndedAt = _startedAt;
        return EndsAt;
    }

    /// <summary>Notes the end of a transfer; one that ends after the timeline counts no more.</summary>
    public void CountEnded(long endedAt, TimeSpan latency, bool committed)
    {
        _latencies.Add(Stopwatch.GetElapsedTime(_startedAt, endedAt), latency);
        endedAt = Math.Min(endedAt, EndsAt);
        var pause = endedAt - Interlocked.Exchange(ref _lastEndedAt, endedAt);
        if (pause > Interlocked.Read(ref _longestPause))
        {
            RaiseLongestPause(pause);
        }

        var slot = (endedAt - _startedAt) / s_slotLength;
        if (slot < _committed.Length && endedAt < EndsAt)
        {
            Interlocked.Increment(ref (committed ? _committed : _failed)[slot]);
        }
    }

    private void RaiseLongestPause(long pause)
    {
        var longest = Interlocked.Read(ref _longestPause);
        while (pause > longest)
        {
            var found = Interlocked.CompareExchange(ref _longestPause, pause, longest);
            if (found == longest)
            {
                return;
            }

            longest = found;
        }
    }
}
