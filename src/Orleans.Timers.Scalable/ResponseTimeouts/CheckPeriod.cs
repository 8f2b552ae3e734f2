using Orleans.Timers.Scalable.Clocks;

namespace Orleans.Timers.Scalable.ResponseTimeouts;

/// <summary>
/// Computes how long to wait between two checks of outstanding calls. It reads no clock: the caller measures.
/// </summary>
/// <remarks>
/// With a tenth of the shortest timeout every timeout is late by a tenth of its length at most. But a check looks at
/// every outstanding call. Counting them would take all locks of Orleans' table, so the cost of the last checks stands
/// for their number.
/// </remarks>
internal sealed class CheckPeriod(TimeSpan shortestTimeout, TimeSpan shortest, TimeSpan longest)
{
    /// <summary>Of a timeout, by which it may be late.</summary>
    private const int TimeoutShare = 10;

    /// <summary>Of one processor, which checks may take.</summary>
    private const int ProcessorShare = 20;

    private static readonly TimeSpan s_longestGrace = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_leastRest = TimeSpan.FromMilliseconds(1);

    /// <summary>
    /// Of the last checks, a power of two. The least counts, because a check that loses its processor for a while only
    /// seems to take long.
    /// </summary>
    private readonly TimeSpan[] _costs = new TimeSpan[4];
    private int _checks;

    /// <summary>
    /// The time from the beginning of one check to the next while calls are outstanding and checking them is cheap.
    /// </summary>
    internal TimeSpan Shortest { get; } = Clamp(shortestTimeout / TimeoutShare, shortest, longest);

    /// <summary>The most that a timeout may be late by, one check apart.</summary>
    internal TimeSpan Longest => longest;

    /// <summary>
    /// For how long after its timeout a call's answer is still taken. Callees send answers a step or two later of the
    /// tick count by which messages expire, of 4 milliseconds each on Linux and 16 on Windows. A quarter of a period
    /// keeps the shortest timeouts within 30 milliseconds.
    /// </summary>
    internal TimeSpan Grace => Clamp(Shortest / 4, TimeSpan.Zero, s_longestGrace);

    /// <summary>How long to rest after a check.</summary>
    /// <param name="cost">What the check has taken.</param>
    /// <param name="isIdle">
    /// Whether no call was outstanding at its end: what is sent later cannot time out before the shortest timeout has
    /// passed.
    /// </param>
    internal TimeSpan RestAfter(TimeSpan cost, bool isIdle)
    {
        _costs[_checks++ & (_costs.Length - 1)] = cost;
        var period = Clamp(_costs.Min() * ProcessorShare, Shortest, longest);
        if (isIdle)
        {
            period = Clamp(shortestTimeout, period, longest);
        }

        // After a check that took long, because the process stood still meanwhile for all we know, what has arrived is
        // read before the next one.
        var least = cost > Stalls.Remarkable ? Clamp(cost, s_leastRest, Stalls.Grace) : s_leastRest;
        var rest = period - cost;
        return rest > least ? rest : least;
    }

    private static TimeSpan Clamp(TimeSpan value, TimeSpan least, TimeSpan most) =>
        value > most ? most : value < least ? least : value;
}
