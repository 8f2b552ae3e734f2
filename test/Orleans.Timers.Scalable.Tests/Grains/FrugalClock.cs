namespace Orleans.Timers.Scalable.Tests;

/// <summary>A clock that allocates nothing when it is advanced. As a work item it advances by a fixed step.</summary>
internal sealed class FrugalClock : TimeProvider, IThreadPoolWorkItem
{
    internal static readonly TimeSpan Step = TimeSpan.FromMilliseconds(50);

    private readonly List<Alarm> _alarms = [];
    private long _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Volatile.Read(ref _now);

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch.AddTicks(GetTimestamp());

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var alarm = new Alarm(this, callback, state);
        alarm.Change(dueTime, period);
        _alarms.Add(alarm);
        return alarm;
    }

    void IThreadPoolWorkItem.Execute() => Advance();

    internal void Advance()
    {
        Volatile.Write(ref _now, _now + Step.Ticks);
        foreach (var alarm in _alarms)
        {
            alarm.FireIfDue();
        }
    }

    private sealed class Alarm(FrugalClock clock, TimerCallback callback, object? state) : ITimer
    {
        private long _dueAt = long.MaxValue;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            _dueAt = dueTime < TimeSpan.Zero ? long.MaxValue : clock.GetTimestamp() + dueTime.Ticks;
            return true;
        }

        public void Dispose() => _dueAt = long.MaxValue;

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }

        internal void FireIfDue()
        {
            if (_dueAt <= clock.GetTimestamp())
            {
                _dueAt = long.MaxValue;
                callback(state);
            }
        }
    }
}
