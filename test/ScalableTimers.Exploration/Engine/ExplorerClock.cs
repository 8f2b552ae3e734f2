namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// A clock that stands still until the scenario advances it, or until the interleaving lets time pass.
/// </summary>
/// <remarks>Reading it is not a scheduling point. A unit is 100 ns.</remarks>
internal sealed class ExplorerClock(Interleaving run) : TimeProvider
{
    private readonly List<ExplorerTimer> _timers = [];

    internal long Now { get; private set; }

    internal TimeSpan Elapsed => new(Now);

    /// <summary>The time when the next timer of the clock is due.</summary>
    internal long NextDueAt => _timers.Select(static timer => timer.DueAt).DefaultIfEmpty(long.MaxValue).Min();

    internal int ArmedTimers => _timers.Count;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Now;

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch + Elapsed;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ExplorerTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>
    /// Advances the clock by a duration. Timers that become due run on the calling thread before this returns.
    /// </summary>
    internal void Advance(TimeSpan duration)
    {
        var end = Now + duration.Ticks;
        while (TakeDue(end) is { } timer)
        {
            timer.Fire();
        }

        MoveTo(end);
    }

    /// <summary>Lets time pass. Timers that become due are queued to the pool, like the system's timers.</summary>
    internal void PassTo(long time)
    {
        MoveTo(time);
        while (TakeDue(time) is { } timer)
        {
            run.Pool.Add(timer.Fire);
        }
    }

    internal void Set(ExplorerTimer timer, TimeSpan dueTime)
    {
        _timers.Remove(timer);
        timer.DueAt = long.MaxValue;
        if (dueTime >= TimeSpan.Zero)
        {
            timer.DueAt = Now + dueTime.Ticks;
            _timers.Add(timer);
        }
    }

    private void MoveTo(long time)
    {
        Now = Math.Max(Now, time);
        run.CountWrite(LogicalThread.Current);
    }

    private ExplorerTimer? TakeDue(long end)
    {
        // Of timers that are due together, the one that was set first comes first.
        var due = _timers.Where(timer => timer.DueAt <= end).MinBy(static timer => timer.DueAt);
        if (due is not null)
        {
            MoveTo(due.DueAt);
            Set(due, due.Period);
        }

        return due;
    }
}
