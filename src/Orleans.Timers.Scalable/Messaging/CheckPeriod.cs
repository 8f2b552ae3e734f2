namespace Orleans.Timers.Scalable.Messaging;

/// <summary>
/// Computes how long to wait between two checks of outstanding calls. It reads no clock: the caller measures.
/// </summary>
/// <remarks>
/// At a tenth of the shortest timeout, every timeout is late by at most a tenth of its length. But a check looks at
/// every outstanding call. Counting the calls would take all locks of Orleans' table, so the cost of the last checks
/// stands in for their number.
/// </remarks>
internal sealed class CheckPeriod(TimeSpan shortestTimeout, TimeSpan shortest, TimeSpan longest)
{
    /// <summary>A timeout may be late by its length divided by this.</summary>
    private const int TimeoutShare = 10;

    /// <summary>Checks may take the time of one processor divided by this.</summary>
    private const int ProcessorShare = 20;

    private static readonly TimeSpan s_longestGrace = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_leastRest = TimeSpan.FromMilliseconds(1);

    /// <summary>
    /// The costs of the last checks; the length is a power of two. The smallest counts, because a check that loses its
    /// processor for a while only seems to take long.
    /// </summary>
    private readonly TimeSpan[] _costs = new TimeSpan[4];
    private int _checks;

    /// <summary>
    /// The time from the start of one check to the next while calls are outstanding and checking them is cheap.
    /// </summary>
    internal TimeSpan Shortest { get; } = Clamp(shortestTimeout / TimeoutShare, shortest, longest);

    /// <summary>The most that a timeout may be late by, apart from long checks and the rest after them.</summary>
    internal TimeSpan Longest => longest;

    /// <summary>
    /// How long after its timeout a call's answer is still accepted. Messages expire by a tick count, so callees send
    /// answers up to a step or two late; a step is 4 milliseconds on Linux and 16 on Windows. A quarter of a period
    /// keeps the shortest timeouts within 30 milliseconds.
    /// </summary>
    internal TimeSpan Grace => Clamp(Shortest / 4, TimeSpan.Zero, s_longestGrace);

    /// <summary>How long to rest after a check.</summary>
    /// <param name="cost">How long the check took.</param>
    /// <param name="isIdle">
    /// Whether no call was outstanding at its end. Calls sent later cannot time out before the shortest timeout has
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

        // A check that took long may mean that the process stalled. Then let what has arrived be read before the next.
        var (rest, least) = (period - cost, Clamp(cost, s_leastRest, Stalls.Grace));
        return rest > least ? rest : least;
    }

    private static TimeSpan Clamp(TimeSpan value, TimeSpan least, TimeSpan most) =>
        value > most ? most : value < least ? least : value;
}
