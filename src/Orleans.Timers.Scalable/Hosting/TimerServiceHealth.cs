using System.Diagnostics.CodeAnalysis;
using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable.Hosting;

/// <summary>Tells Orleans, when it asks for the silo's health, how late the timer of its last question was.</summary>
/// <remarks>
/// Orleans asks synchronously and again and again, so each question leaves a timer for the next one. Between questions
/// an idle service sleeps. <b>Threads.</b> Any; questions that overlap may share a timer.
/// </remarks>
internal sealed class TimerServiceHealth(TimerService timers, bool keepsSystemTime) : IHealthCheckParticipant
{
    /// <summary>Less than Orleans' own limit for a thread pool that is slow.</summary>
    internal static readonly TimeSpan LongestLateness = TimeSpan.FromMilliseconds(500);

    private Probe? _probe;

    public bool CheckHealth(DateTime lastCheckTime, [NotNullWhen(false)] out string? reason)
    {
        reason = null;

        // A clock that a test advances says nothing about the silo's health.
        if (!keepsSystemTime)
        {
            return true;
        }

        var last = Volatile.Read(ref _probe);
        try
        {
            if (last is null || last.HasFired)
            {
                Volatile.Write(ref _probe, new Probe(timers));
            }
        }
        catch (ObjectDisposedException)
        {
            reason = "The timer service has been disposed.";
            return false;
        }

        if (last?.Lateness is not { } lateness || lateness <= LongestLateness)
        {
            return true;
        }

        reason = last.HasFired
            ? $"A timer fired {lateness} after it was due."
            : $"A timer has not fired {lateness} after it was due.";
        return false;
    }

    private sealed class Probe
    {
        private readonly TickClock _clock;
        private readonly long _deadlineTick;
        private long _fired;

        internal Probe(TimerService timers)
        {
            _clock = timers.Clock;

            // A timer expires at the end of the tick in which it is due.
            _deadlineTick = _clock.DeadlineTick(_clock.Resolution);
            timers.Schedule(static probe => ((Probe)probe!).Fire(), this, _clock.Resolution);
        }

        internal bool HasFired => Volatile.Read(ref _fired) != 0;

        internal TimeSpan Lateness
        {
            get
            {
                var fired = Volatile.Read(ref _fired);
                return _clock.ToTimeSpan(_clock.ElapsedSince(_deadlineTick, fired != 0 ? fired : _clock.Now()));
            }
        }

        private void Fire() => Volatile.Write(ref _fired, _clock.Now());
    }
}
