using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A clock that can be told to fail the next time its timer is set. The earlier setting remains.
/// </summary>
internal sealed class ClockThatFailsOnce(ExplorerClock inner) : TimeProvider
{
    internal bool Fails { get; set; }

    public override long TimestampFrequency => inner.TimestampFrequency;

    public override long GetTimestamp() => inner.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        new Timer(this, inner.CreateTimer(callback, state, dueTime, period));

    private sealed class Timer(ClockThatFailsOnce clock, ITimer inner) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            if (clock.Fails)
            {
                clock.Fails = false;
                throw new IOException("Thrown by the clock.");
            }

            return inner.Change(dueTime, period);
        }

        public void Dispose() => inner.Dispose();

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }
}
