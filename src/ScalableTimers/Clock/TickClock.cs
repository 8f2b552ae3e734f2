namespace ScalableTimers.Clock;

/// <summary>
/// Reads time for all timers of a service. It turns due times into deadlines and timestamps into ticks.
/// </summary>
/// <remarks>
/// Deadlines are rounded up and the current time is rounded down, so a timer whose deadline has come is never early.
/// All arithmetic is in the provider's own units (<see cref="TimeProvider.TimestampFrequency"/>).
/// </remarks>
internal sealed class TickClock
{
    /// <summary>
    /// The due time that every clock must support, in years. A clock that counts too fast for it is rejected.
    /// </summary>
    private const int MinYears = 10;

    // Null for the system clock, so that reading it touches no other object.
    private readonly TimeProvider? _other;
    private readonly long _origin;
    private readonly long _frequency;
    private readonly ulong _tickDuration;
    private readonly ulong _reciprocal;
    private readonly long _durationPerTimeSpanTick;
    private readonly TimeSpan _maxDueTime;

    public TickClock(TimeProvider provider, TimeSpan resolution)
    {
        _other = ReferenceEquals(provider, TimeProvider.System) ? null : provider;
        _frequency = provider.TimestampFrequency;
        if (_frequency <= 0)
        {
            throw new ArgumentException(
                $"The clock {provider.GetType()} has a timestamp frequency of {_frequency}; it must be positive.",
                nameof(provider));
        }

        // A tick is a whole number of clock units. It is rounded up if the units are too coarse for the exact
        // resolution.
        _tickDuration = (ulong)ScaleUp(resolution.Ticks);
        _reciprocal = ulong.MaxValue / _tickDuration;
        _durationPerTimeSpanTick = _frequency % TimeSpan.TicksPerSecond == 0 ? _frequency / TimeSpan.TicksPerSecond : 0;

        // Longer due times could overflow a deadline. With nanosecond units, due times are cut at 146 years.
        var longest = (Int128)(long.MaxValue / 2) * TimeSpan.TicksPerSecond / _frequency;
        _maxDueTime = new TimeSpan((long)Int128.Min(longest, long.MaxValue));
        if (long.MaxValue / 2 / _frequency < TimeSpan.FromDays(365 * MinYears).TotalSeconds)
        {
            throw new ArgumentException(
                $"The clock {provider.GetType()} has a timestamp frequency of {_frequency}. At that frequency, "
                + $"due times could not exceed {_maxDueTime.TotalDays:0.#} days, but ten years are required. Use a "
                + "clock with a lower frequency.",
                nameof(provider));
        }

        _origin = provider.GetTimestamp();
    }

    internal TimeProvider Provider => _other ?? TimeProvider.System;

    /// <summary>The current timestamp.</summary>
    internal Timestamp Now() =>
        new((_other is null ? TimeProvider.System.GetTimestamp() : _other.GetTimestamp()) - _origin);

    internal long NowTick() => TickAt(Now());

    /// <summary>Milliseconds of the system, in steps of up to 16.</summary>
    /// <remarks>
    /// Reading the precise clock between two callbacks keeps the processor from overlapping them: a tenth of a firing.
    /// </remarks>
#pragma warning disable RS0030 // Nothing is due by it.
    internal static long CoarseMilliseconds => Environment.TickCount64;
#pragma warning restore RS0030

    /// <summary>The last tick that has begun by a timestamp.</summary>
    internal long TickAt(Timestamp timestamp) => timestamp.Units <= 0 ? 0 : TickOf((ulong)timestamp.Units);

    /// <summary>
    /// The first tick that begins at or after a timestamp, so that a timer which waits for it is not early.
    /// </summary>
    internal long DeadlineTick(Timestamp timestamp) =>
        timestamp.Units <= 0 ? 0 : TickOf((ulong)timestamp.Units - 1) + 1;

    /// <summary>The first tick that begins at or after the time when something that starts now is due.</summary>
    /// <param name="dueTime">Not negative, or infinite.</param>
    internal long DeadlineTick(TimeSpan dueTime) =>
        dueTime == Timeout.InfiniteTimeSpan ? Wheel.TimerWheel.Never : DeadlineTick(DueAt(dueTime));

    /// <summary>The timestamp at which something that starts now is due.</summary>
    /// <param name="dueTime">Not negative.</param>
    internal Timestamp DueAt(TimeSpan dueTime) => Now() + ToDuration(dueTime);

    /// <summary>A time span in the clock's units, rounded up, and cut to the longest due time.</summary>
    internal Duration ToDuration(TimeSpan duration)
    {
        if (duration > _maxDueTime)
        {
            duration = _maxDueTime;
        }

        return new Duration(
            _durationPerTimeSpanTick != 0 ? duration.Ticks * _durationPerTimeSpanTick : ScaleUp(duration.Ticks));
    }

    /// <summary>A duration as a time span, rounded up.</summary>
    internal TimeSpan ToTimeSpan(Duration duration)
    {
        var timeSpan = (((Int128)duration.Units * TimeSpan.TicksPerSecond) + _frequency - 1) / _frequency;
        return new TimeSpan((long)Int128.Min(timeSpan, long.MaxValue));
    }

    /// <summary>A duration as seconds, for metrics: fast but not exact.</summary>
    internal double ToSeconds(Duration duration) => (double)duration.Units / _frequency;

    /// <summary>How many ticks it takes for a duration to pass.</summary>
    internal long TicksOf(TimeSpan duration) => DeadlineTick(default(Timestamp) + ToDuration(duration));

    /// <summary>The width of a tick, rounded up.</summary>
    internal TimeSpan Resolution => ToTimeSpan(new Duration((long)_tickDuration));

    /// <summary>The timestamp at which a tick begins.</summary>
    internal Timestamp TimestampAt(long tick) => new((long)Int128.Min((Int128)tick * _tickDuration, long.MaxValue));

    /// <summary>How long before a timestamp a tick began; zero if it had not begun by then.</summary>
    internal Duration ElapsedSince(long tick, Timestamp timestamp) => Between(TimestampAt(tick), timestamp);

    /// <summary>How long it is until a tick begins; zero if it has begun.</summary>
    internal TimeSpan Until(long tick) => UntilTimestamp(TimestampAt(tick));

    /// <summary>How long it is until a timestamp; zero if it has passed.</summary>
    internal TimeSpan UntilTimestamp(Timestamp timestamp) => ToTimeSpan(Between(Now(), timestamp));

    /// <summary>How long it is from one timestamp to another; zero if that comes first.</summary>
    internal static Duration Between(Timestamp from, Timestamp to) => new(Math.Max(0, to.Units - from.Units));

    private long TickOf(ulong timestamp)
    {
        // Exact division by a constant that is known only at start. The reciprocal is too small by less than one, so
        // the quotient is right or one too small, and the remainder tells which. A division instruction would cost ten
        // times as much.
        var tick = Math.BigMul(timestamp, _reciprocal, out _);
        var rest = timestamp - (tick * _tickDuration);
        return (long)(rest < _tickDuration ? tick : tick + 1);
    }

    private long ScaleUp(long duration) =>
        (long)((((Int128)duration * _frequency) + TimeSpan.TicksPerSecond - 1) / TimeSpan.TicksPerSecond);
}
