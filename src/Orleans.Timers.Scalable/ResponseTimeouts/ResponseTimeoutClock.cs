namespace Orleans.Timers.Scalable;

/// <summary>The clock of messaging: the system's, but for the period of the one timer that checks outstanding calls.</summary>
/// <remarks>
/// Orleans creates that timer with a due time and a period of the response timeout, at least a millisecond and at most a second. Others
/// may be alike by chance (the client's list of gateways is refreshed by one, and a program may refer to the key), and a silo or
/// client creates its services in an order that its program can change. So the first is taken that a runtime client makes.
/// </remarks>
#pragma warning disable CA1001 // The timer is its creator's to dispose.
internal sealed class ResponseTimeoutClock(TimeProvider clock, Func<TimeSpan> responseTimeout) : TimeProvider
#pragma warning restore CA1001
{
    private static readonly TimeSpan s_shortestPeriod = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_longestPeriod = TimeSpan.FromSeconds(1);
    private int _isFound;
    private volatile ResponseTimeoutCheck? _check;

    public override TimeZoneInfo LocalTimeZone => clock.LocalTimeZone;

    public override long TimestampFrequency => clock.TimestampFrequency;

    /// <summary>The period that Orleans gives the timer.</summary>
    internal TimeSpan StockPeriod => TimeSpan.FromTicks(Math.Clamp(ResponseTimeout.Ticks, s_shortestPeriod.Ticks, s_longestPeriod.Ticks));

    /// <summary>The timeout of calls that have none of their own.</summary>
    internal TimeSpan ResponseTimeout => responseTimeout();

    /// <summary>The timer, once it has been created.</summary>
    internal ResponseTimeoutCheck? Check => _check;

    /// <summary>What has created the timer; null where that cannot be told.</summary>
    internal Type? Maker { get; private set; }

    public override DateTimeOffset GetUtcNow() => clock.GetUtcNow();

    public override long GetTimestamp() => clock.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        if (_check is not null || dueTime != period || period != StockPeriod)
        {
            return clock.CreateTimer(callback, state, dueTime, period);
        }

        var maker = TimerMaker.Find();
        if ((maker is not null && !TimerMaker.IsRuntimeClient(maker)) || Interlocked.Exchange(ref _isFound, 1) != 0)
        {
            return clock.CreateTimer(callback, state, dueTime, period);
        }

        Maker = maker;
        return _check = new ResponseTimeoutCheck(clock, callback, state, period);
    }
}
