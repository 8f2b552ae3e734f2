namespace ScalableTimers.Testing;

/// <summary>A clock for tests in virtual time. Its time stands still until it is told to advance.</summary>
/// <remarks>
/// <para>
/// <b>Cost.</b> Advancing takes time proportional to the number of this clock's timers. A <see cref="TimerService"/>
/// uses one of them.
/// </para>
/// <para>
/// <b>Accuracy.</b> Exact. While a timer's callback runs, the clock shows the timer's own due time, so timers that the
/// callback starts count from that time. Due times are not truncated to milliseconds.
/// </para>
/// <para>
/// <b>Order.</b> Timers fire in the order of their due times. Timers with the same due time fire in the order in which
/// they were armed. A timer that is due at once fires at the next <see cref="Advance"/>, however small.
/// </para>
/// <para>
/// <b>Threads.</b> All members may be called concurrently. Callbacks run on the thread that advances the clock, with no
/// lock held. A callback may advance the clock itself. If a callback throws, the exception reaches the caller of
/// <see cref="Advance"/>. The clock then stands at that timer's due time and can be advanced again.
/// </para>
/// <para>
/// <b>Disposing.</b> As with .NET's timers, no callback starts after <c>Dispose</c>, except on a thread that has
/// already taken the timer out. <c>DisposeAsync</c> completes when no callback runs, including the callback that calls
/// it, so a callback must not block on it.
/// </para>
/// </remarks>
public sealed class ManualTimeProvider : TimeProvider
{
    // A callback that advances the clock by its own timer's period fires itself again, without end. Tests nest a few
    // levels on purpose. A hundred levels take some tens of kilobytes of stack, even with a service's driver between
    // them; the smallest stacks have 256 kilobytes.
    private const int MaxNestedAdvances = 100;

    [ThreadStatic]
    private static int s_nestedAdvances;

    [ThreadStatic]
    private static bool s_isNestedTooDeep;

    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _armed = [];

    // Guards
    //   _gate       _armed, _armings, and every write to _now and _zero
    //   no lock     _now and _zero are read alone, so a reading beside an advance or adjustment is of either side
    private long _zero;
    private long _now;
    private long _autoAdvance;
    private TimeZoneInfo _localTimeZone = TimeZoneInfo.Utc;
    private long _armings;

    /// <summary>Creates a clock that shows midnight of 1 January 2000, UTC.</summary>
    public ManualTimeProvider()
        : this(new DateTimeOffset(2000, 1, 1, 0, 0, 0, TimeSpan.Zero))
    {
    }

    /// <summary>Creates a clock that shows a given time.</summary>
    /// <param name="start">The time that <see cref="GetUtcNow"/> returns until the clock is advanced.</param>
    public ManualTimeProvider(DateTimeOffset start) => _zero = start.UtcTicks;

    /// <summary>Gets how far the clock has been advanced since it was created.</summary>
    public TimeSpan Elapsed => new(Volatile.Read(ref _now));

    /// <summary>Gets the number of timers that are armed.</summary>
    public int ArmedTimers
    {
        get
        {
            lock (_gate)
            {
                return _armed.Count;
            }
        }
    }

    /// <summary>Lists the armed timers in the order in which they will fire.</summary>
    /// <param name="most">The most timers to list, positive.</param>
    /// <returns>The timers that fire first. Their threads are not known.</returns>
    /// <remarks>
    /// A <see cref="TimerService"/> that has this clock uses one timer of it;
    /// <see cref="TimerService.GetPending(int)"/> lists those that wait in the service.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="most"/> is not positive.</exception>
    public IReadOnlyList<PendingTimer> GetPending(int most)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(most);
        List<(ManualTimer Timer, TimeSpan DueIn)> found;
        lock (_gate)
        {
            found =
            [
                .. _armed.OrderBy(static timer => (timer.DueAt, timer.Arming))
                    .Take(most)
                    .Select(timer => (timer, new TimeSpan(Math.Max(0, timer.DueAt - _now)))),
            ];
        }

        return [.. found.Select(static one => one.Timer.Describe(one.DueIn))];
    }

    /// <summary>Gets or sets how far each call of <see cref="GetUtcNow"/> advances the clock.</summary>
    /// <value>Not negative. The default is zero: the clock stands still.</value>
    /// <remarks>
    /// The call returns the time before it advances, and timers that become due fire inside the call. Timestamps do not
    /// advance the clock, because a <see cref="TimerService"/> reads them for every timer.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan AutoAdvanceAmount
    {
        get => new(Volatile.Read(ref _autoAdvance));
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
            Volatile.Write(ref _autoAdvance, value.Ticks);
        }
    }

    /// <inheritdoc/>
    /// <remarks>It is UTC until <see cref="SetLocalTimeZone"/> is called.</remarks>
    public override TimeZoneInfo LocalTimeZone => Volatile.Read(ref _localTimeZone);

    /// <inheritdoc/>
    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    private DateTimeOffset UtcNow => new(Volatile.Read(ref _zero) + Volatile.Read(ref _now), TimeSpan.Zero);

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow()
    {
        var now = UtcNow;
        if (AutoAdvanceAmount is var amount && amount > TimeSpan.Zero)
        {
            Advance(amount);
        }

        return now;
    }

    /// <inheritdoc/>
    public override long GetTimestamp() => Volatile.Read(ref _now);

    /// <summary>Moves the clock forward, and fires the timers that become due on the way.</summary>
    /// <param name="duration">How far to advance. Zero fires the timers that are already due.</param>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="duration"/> is negative, or would advance the clock beyond
    /// <see cref="DateTimeOffset.MaxValue"/>.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// A hundred nested callbacks are already advancing clocks on this thread.
    /// </exception>
    public void Advance(TimeSpan duration)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(duration, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(duration, DateTimeOffset.MaxValue - UtcNow);
        AdvanceTo(Volatile.Read(ref _now) + duration.Ticks);
    }

    /// <summary>Advances the clock to a time of day, as <see cref="Advance"/> does.</summary>
    /// <param name="value">Where the clock stands afterwards.</param>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="value"/> is before the present time. <see cref="AdjustTime"/> sets a clock back.
    /// </exception>
    /// <exception cref="InvalidOperationException">As for <see cref="Advance"/>.</exception>
    public void SetUtcNow(DateTimeOffset value)
    {
        // Read once: another thread may advance the clock meanwhile, and both must not move it by the whole way.
        long now;
        long end;
        lock (_gate)
        {
            now = _now;
            end = value.UtcTicks - _zero;
        }

        if (end < now)
        {
            throw new ArgumentOutOfRangeException(
                nameof(value),
                value,
                $"The clock shows {UtcNow:O}, and timers cannot go back. {nameof(AdjustTime)} sets only the time of "
                    + "day.");
        }

        AdvanceTo(end);
    }

    /// <summary>
    /// Sets the time of day, forward or back, as an operator or a time server does. Timestamps and timers take no
    /// notice.
    /// </summary>
    /// <param name="value">What <see cref="GetUtcNow"/> returns next.</param>
    public void AdjustTime(DateTimeOffset value)
    {
        lock (_gate)
        {
            Volatile.Write(ref _zero, value.UtcTicks - _now);
        }
    }

    /// <summary>Sets the time zone of <see cref="TimeProvider.GetLocalNow"/>.</summary>
    /// <param name="localTimeZone">The time zone.</param>
    public void SetLocalTimeZone(TimeZoneInfo localTimeZone)
    {
        ArgumentNullException.ThrowIfNull(localTimeZone);
        Volatile.Write(ref _localTimeZone, localTimeZone);
    }

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        var timer = new ManualTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    internal bool Arm(ManualTimer timer, TimeSpan dueTime, TimeSpan period)
    {
        lock (_gate)
        {
            _armed.Remove(timer);
            if (timer.IsDisposed)
            {
                return false;
            }

            timer.Period = period > TimeSpan.Zero ? period.Ticks : 0;
            if (dueTime >= TimeSpan.Zero)
            {
                timer.DueAt = _now + dueTime.Ticks;
                timer.Arming = ++_armings;
                _armed.Add(timer);
            }

            return true;
        }
    }

    internal void Disarm(ManualTimer timer)
    {
        lock (_gate)
        {
            timer.IsDisposed = true;
            _armed.Remove(timer);
        }
    }

    /// <summary>Disarms a timer for good.</summary>
    /// <returns>A task that completes when no callback of the timer runs.</returns>
    internal Task DisarmAsync(ManualTimer timer)
    {
        lock (_gate)
        {
            Disarm(timer);
            return timer.Running == 0
                ? Task.CompletedTask
                : (timer.Ended ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    private void Fire(ManualTimer timer)
    {
        try
        {
            timer.Fire();
        }
        finally
        {
            lock (_gate)
            {
                // Waiting code resumes on another thread, so none of it runs under the gate.
                if (--timer.Running == 0)
                {
                    timer.Ended?.SetResult();
                }
            }
        }
    }

    private void AdvanceTo(long end)
    {
        // The code that called the callback may have swallowed the exception. So every advance around the one that
        // threw throws too.
        s_isNestedTooDeep |= s_nestedAdvances == MaxNestedAdvances;
        ThrowIfNestedTooDeep();
        s_nestedAdvances++;
        try
        {
            while (TakeNextDue(end) is { } timer)
            {
                Fire(timer);
                ThrowIfNestedTooDeep();
            }
        }
        finally
        {
            s_isNestedTooDeep &= --s_nestedAdvances > 0;
        }
    }

    private static void ThrowIfNestedTooDeep()
    {
        if (s_isNestedTooDeep)
        {
            throw new InvalidOperationException(
                $"{MaxNestedAdvances} timer callbacks have advanced the clock, each inside the one before. Probably a "
                + "timer's callback advances the clock to the timer's own next due time. Advance it by less.");
        }
    }

    private ManualTimer? TakeNextDue(long end)
    {
        lock (_gate)
        {
            var next = _armed.Where(timer => timer.DueAt <= end).MinBy(static timer => (timer.DueAt, timer.Arming));

            // A callback may have advanced the clock beyond the end of this advance.
            _now = Math.Max(_now, next?.DueAt ?? end);
            if (next is null)
            {
                return null;
            }

            next.Running++;
            if (next.Period > 0)
            {
                next.DueAt += next.Period;
                next.Arming = ++_armings;
            }
            else
            {
                _armed.Remove(next);
            }

            return next;
        }
    }
}
