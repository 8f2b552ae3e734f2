namespace ScalableTimers.StressTests.Soaking.Recording;

/// <summary>Periods of time in which nothing could run. One thread adds them, others query them.</summary>
internal sealed class PauseLog
{
    private const int Kept = 1 << 16;

    private readonly Lock _gate = new();
    private readonly (long From, long To)[] _pauses = new (long From, long To)[Kept];
    private long _added;
    private long _knownUntil;

    /// <summary>The time up to which all pauses are known.</summary>
    internal long KnownUntil => Volatile.Read(ref _knownUntil);

    internal LatenessHistogram Lengths { get; } = new();

    /// <summary>
    /// Notes the beginning and the end of a wait. Its length beyond the requested time is a pause.
    /// </summary>
    internal void Add(long from, long to)
    {
        Lengths.Add(to - from);
        lock (_gate)
        {
            _pauses[_added++ % Kept] = (from, to);
            _knownUntil = to;
        }
    }

    /// <summary>How much of a period of time was pause.</summary>
    internal long Within(long from, long to) =>
        Fold(
            static (sum, pause, within) =>
                sum + Math.Max(0, Math.Min(within.To, pause.To) - Math.Max(within.From, pause.From)),
            (from, to));

    /// <summary>The longest pause that overlaps a period of time.</summary>
    internal long Longest(long from, long to) =>
        Fold(
            static (longest, pause, within) =>
                pause.From > within.To ? longest : Math.Max(longest, pause.To - pause.From),
            (from, to));

    private long Fold(Func<long, (long From, long To), (long From, long To), long> add, (long From, long To) within)
    {
        var result = 0L;
        lock (_gate)
        {
            for (var i = _added - 1; i >= Math.Max(0, _added - Kept); i--)
            {
                var pause = _pauses[i % Kept];
                if (pause.To < within.From)
                {
                    break;
                }

                result = add(result, pause, within);
            }
        }

        return result;
    }
}
