using System.Diagnostics;

namespace Orleans.Timers.Scalable.Messaging;

/// <summary>
/// The messaging clock: the system clock, except for the period of the one timer that checks outstanding calls.
/// </summary>
/// <remarks>
/// Orleans creates that timer with the response timeout, at least a millisecond and at most a second, as due time and
/// period. Other timers may happen to have the same period: one refreshes the client's list of gateways, and a program
/// may use the key. A program can also change the order in which a silo or client creates its services. So the check is
/// the first such timer that a runtime client creates.
/// <para>
/// A check computes the age of calls from the time that it reads first. This clock sets that time back by
/// <see cref="CheckPeriod.Grace"/>: an overloaded grain mostly answers in the last milliseconds of a call, and prompt
/// checks would throw away answers that are on their way.
/// </para>
/// </remarks>
#pragma warning disable CA1001 // The code that creates the timer disposes it.
internal sealed class ResponseTimeoutClock(TimeProvider clock, Func<TimeSpan> responseTimeout) : TimeProvider
#pragma warning restore CA1001
{
    /// <summary>The interface of the type that sends the calls of a silo or client.</summary>
    private const string RuntimeClient = "Orleans.Runtime.IRuntimeClient";

    private static readonly TimeSpan s_shortestPeriod = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_longestPeriod = TimeSpan.FromSeconds(1);

    /// <summary>The id of the thread that has begun a check and not yet read the time; zero for none.</summary>
    private volatile int _checkingThread;

    private int _isFound;
    private volatile ResponseTimeoutCheck? _check;

    public override TimeZoneInfo LocalTimeZone => clock.LocalTimeZone;

    public override long TimestampFrequency => clock.TimestampFrequency;

    /// <summary>The period that Orleans gives the timer.</summary>
    internal TimeSpan StockPeriod =>
        TimeSpan.FromTicks(Math.Clamp(ResponseTimeout.Ticks, s_shortestPeriod.Ticks, s_longestPeriod.Ticks));

    /// <summary>The timeout of calls that have none of their own.</summary>
    internal TimeSpan ResponseTimeout => responseTimeout();

    /// <summary>The timer, once it has been created.</summary>
    internal ResponseTimeoutCheck? Check => _check;

    /// <summary>The type that created the timer; null if the stack does not tell.</summary>
    internal Type? Maker { get; private set; }

    public override DateTimeOffset GetUtcNow() => clock.GetUtcNow();

    public override long GetTimestamp()
    {
        var now = clock.GetTimestamp();
        if (_checkingThread == 0 || _checkingThread != Environment.CurrentManagedThreadId)
        {
            return now;
        }

        // Only the check's own reading is set back: callers whose calls have ended may continue on this thread.
        _checkingThread = 0;
        return now - (long)((_check?.Periods?.Grace ?? default).TotalSeconds * clock.TimestampFrequency);
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        if (_check is not null || dueTime != period || period != StockPeriod)
        {
            return clock.CreateTimer(callback, state, dueTime, period);
        }

        var maker = FindMaker();
        if ((maker is not null && !IsRuntimeClient(maker)) || Interlocked.Exchange(ref _isFound, 1) != 0)
        {
            return clock.CreateTimer(callback, state, dueTime, period);
        }

        Maker = maker;
        return _check = new ResponseTimeoutCheck(
            clock,
            state =>
            {
                _checkingThread = Environment.CurrentManagedThreadId;
                try
                {
                    callback(state);
                }
                finally
                {
                    _checkingThread = 0;
                }
            },
            state,
            period);
    }

    /// <summary>
    /// Returns the first type on the stack that is neither .NET's nor a clock; null if the stack names no types, as in
    /// programs compiled ahead of time.
    /// </summary>
    /// <remarks>
    /// Takes some ten microseconds, but only for timers that may be the right one: once or twice in the life of a silo
    /// or client.
    /// </remarks>
    private static Type? FindMaker()
    {
        foreach (var frame in new StackTrace(fNeedFileInfo: false).GetFrames())
        {
            if (frame.GetMethod()?.DeclaringType is not { } type)
            {
                return null;
            }

            if (type.Assembly != typeof(object).Assembly && !typeof(TimeProvider).IsAssignableFrom(type))
            {
                return type;
            }
        }

        return null;
    }

    // The interface is internal to Orleans, so it is compared by name.
    private static bool IsRuntimeClient(Type type) =>
        type.GetInterfaces().Any(static implemented => implemented.FullName == RuntimeClient);
}
