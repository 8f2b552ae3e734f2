using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>A clock that stands still, and whose timers cannot be set when it is told so.</summary>
internal sealed class FailingClock(Interleaving run) : TimeProvider
{
    private readonly ExplorerClock _clock = new(run);

    internal bool Fails { get; set; }

    public override long TimestampFrequency => _clock.TimestampFrequency;

    public override long GetTimestamp() => _clock.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        new FailingTimer(this, _clock.CreateTimer(callback, state, dueTime, period));

    private sealed class FailingTimer(FailingClock clock, ITimer timer) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) =>
            clock.Fails ? throw new NotSupportedException("The clock fails.") : timer.Change(dueTime, period);

        public void Dispose() => timer.Dispose();

        public ValueTask DisposeAsync() => timer.DisposeAsync();
    }
}
