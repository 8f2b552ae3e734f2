namespace ScalableTimers.Clock;

/// <summary>The one reader of time: turns due times into deadlines and timestamps into ticks.</summary>
/// <remarks>
/// Deadlines are rounded up and the present is rounded down, so a timer whose deadline has come is never early. All arithmetic is in
/// the clock's own timestamp units, counted from the creation of the service.
/// </remarks>
internal sealed class TickClock
{
    /// <summary>What a due time must be able to be, as years of a clock that counts too fast for longer ones.</summary>
    private const int LeastYears = 10;

    /// <summary>A time that does not come.</summary>
    internal const long Never = long.MaxValue;

    private readonly TimeProvider _provider;
    private readonly long _origin;
    private readonly long _frequency;
    private readonly ulong _unitsPerTick;
    private readonly ulong _reciprocal;
    private readonly long _unitsPerDuration;
    private readonly TimeSpan _longestDueTime;

    /// <param name="provider">The source of timestamps.</param>
    /// <param name="resolution">The width of a tick.</param>
    public TickClock(TimeProvider provider, TimeSpan resolution)
    {
        _provider = provider;
        _frequency = provider.TimestampFrequency;
        if (_frequency <= 0)
        {
            throw new ArgumentException($"The clock {provider.GetType()} has a timestamp frequency of {_frequency}; it must be positive.", nameof(provider));
        }

        // A tick is a whole number of units, rounded up where the clock is too slow to give the resolution exactly.
        _unitsPerTick = (ulong)ScaleUp(resolution.Ticks);
        _reciprocal = ulong.MaxValue / _unitsPerTick;
        _unitsPerDuration = _frequency % TimeSpan.TicksPerSecond == 0 ? _frequency / TimeSpan.TicksPerSecond : 0;

        // Longer due times could overflow a deadline. At a nanosecond a unit this cuts at 146 years.
        var longest = Int128.Min((Int128)_unitsPerTick * (Wheel.TimerWheel.MaxTick / 2), long.MaxValue / 2);
        _longestDueTime = new TimeSpan((long)Int128.Min(longest * TimeSpan.TicksPerSecond / _frequency, long.MaxValue));
        if (long.MaxValue / 2 / _frequency < TimeSpan.FromDays(365 * LeastYears).TotalSeconds)
        {
            throw new ArgumentException($"The clock {provider.GetType()} has a timestamp frequency of {_frequency}, at which due times could be no longer than {_longestDueTime.TotalDays:0.#} days. Ten years must be possible.", nameof(provider));
        }

        _origin = provider.GetTimestamp();
    }

    internal TimeProvider Provider => _provider;

    /// <summary>Now, in units since the clock was made.</summary>
    internal long Now() => _provider.GetTimestamp() - _origin;

    internal long NowTick() => TickAt(Now());

    /// <summary>The last tick that has begun at a time.</summary>
    internal long TickAt(long units)
    {
        if (units <= 0)
        {
            return 0;
        }

        return (long)Divide((ulong)units, out _);
    }

    /// <summary>The first tick that begins at or after a time, so that a timer which waits for it is not early.</summary>
    internal long DeadlineTick(long units)
    {
        if (units <= 0)
        {
            return 0;
        }

        var tick = Divide((ulong)units, out var rest);
        return (long)(rest == 0 ? tick : tick + 1);
    }

    /// <summary>The time, in units, at which something that starts now is due.</summary>
    /// <param name="dueTime">Not negative.</param>
    internal long DueAt(TimeSpan dueTime) => After(Now(), ToUnits(dueTime));

    /// <summary>The time that is some units after another, or the last there is: a service may have run for longer than what is left.</summary>
    internal static long After(long time, long units)
    {
        var after = time + units;
        return after < time ? Never - 1 : after;
    }

    /// <summary>A duration in timestamp units, rounded up; durations beyond all deadlines are cut.</summary>
    internal long ToUnits(TimeSpan duration)
    {
        if (duration > _longestDueTime)
        {
            duration = _longestDueTime;
        }

        return _unitsPerDuration != 0 ? duration.Ticks * _unitsPerDuration : ScaleUp(duration.Ticks);
    }

    /// <summary>A number of units as a duration, rounded up.</summary>
    internal TimeSpan ToDuration(long units)
    {
        var duration = (((Int128)units * TimeSpan.TicksPerSecond) + _frequency - 1) / _frequency;
        return new TimeSpan((long)Int128.Min(duration, long.MaxValue));
    }

    /// <summary>When a tick begins, in units.</summary>
    internal long UnitsAt(long tick) => (long)Int128.Min((Int128)tick * _unitsPerTick, long.MaxValue);

    /// <summary>How many units a tick has begun before a time.</summary>
    internal long UnitsSince(long tick, long units) => Math.Max(0, units - UnitsAt(tick));

    /// <summary>How long it is until a tick begins; zero if it has begun.</summary>
    internal TimeSpan Until(long tick) => UntilUnits(UnitsAt(tick));

    /// <summary>How long it is until a time; zero if it has passed.</summary>
    internal TimeSpan UntilUnits(long units) => ToDuration(Math.Max(0, units - Now()));

    // Exact division by a constant that is known at start only: the reciprocal is too small by less than one, so the quotient is
    // right or one too small, and the rest tells which. The division instruction would cost ten times as much.
    private ulong Divide(ulong units, out ulong rest)
    {
        var quotient = Math.BigMul(units, _reciprocal, out _);
        rest = units - (quotient * _unitsPerTick);
        while (rest >= _unitsPerTick)
        {
            rest -= _unitsPerTick;
            quotient++;
        }

        return quotient;
    }

    private long ScaleUp(long duration) =>
        (long)((((Int128)duration * _frequency) + TimeSpan.TicksPerSecond - 1) / TimeSpan.TicksPerSecond);
}
