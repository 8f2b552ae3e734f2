using ScalableTimers;

namespace Orleans.Timers.Scalable.Messaging;

/// <summary>
/// Lets timeouts wait when the process has just stalled: it was stopped, its machine paused, or a garbage collection
/// took long. Answers that arrived meanwhile are then still unread, while the timers of their calls are due.
/// </summary>
/// <remarks>
/// A timer that fires later than the clock explains reveals a stall, and so does an overdue check for response
/// timeouts. The grace is as long as the stall, but at most <see cref="Grace"/>. A process that stalls again and again,
/// or whose pool is blocked, must not put timeouts off for ever. So all graces last a second and a tenth of the time.
/// </remarks>
/// <param name="clock">Null for a clock that does not show when the process stalls: a test's.</param>
/// <param name="usualLag">How late its timers may be without a stall.</param>
internal sealed class Stalls(TimeProvider? clock, TimeSpan usualLag = default)
{
    /// <summary>The longest grace: the period of Orleans' own check, by which timeouts are late anyway.</summary>
    internal static readonly TimeSpan Grace = TimeSpan.FromSeconds(1);

    private const int Share = 10;

    // Guards
    //   all that are not read-only   _lock
    //
    // _noticed: when the last stall was noticed. What was due before belongs to it, and may show that it was longer.
    // _usedUp: when nothing was left for graces. A tenth of the time since then is left for the next.
    private readonly Lock _lock = new();
    private TimeSpan _lastCheck = TimeSpan.MaxValue;
    private TimeSpan _nextCheck = TimeSpan.MaxValue;
    private TimeSpan _noticed = TimeSpan.MinValue / 2;
    private TimeSpan _began;
    private TimeSpan _graceEnds;
    private TimeSpan _usedUp = -Share * Grace;

    private TimeSpan Now => clock?.GetElapsedTime(0) ?? default;

    internal static Stalls Of(TimerService timers) => new(
        ReferenceEquals(timers.Clock.Provider, TimeProvider.System) ? TimeProvider.System : null,
        timers.Clock.Resolution + TimeSpan.FromMilliseconds(10));

    /// <summary>Tells when the next check for response timeouts is due.</summary>
    internal void ExpectCheck(TimeSpan dueTime)
    {
        lock (_lock)
        {
            _lastCheck = Now;
            _nextCheck = _lastCheck + dueTime;
        }
    }

    /// <summary>How long a timeout that is due must wait, or how much longer a passed deadline holds.</summary>
    /// <param name="lateness">The lateness of a timer that fired; zero if it reveals nothing.</param>
    /// <param name="overdue">How long ago a deadline passed. It holds only if that was during the stall.</param>
    internal TimeSpan GraceLeft(TimeSpan lateness = default, TimeSpan overdue = default)
    {
        lock (_lock)
        {
            var now = Now;
            var due = Min(now - lateness, _nextCheck);
            if (clock is not null && now - due > usualLag)
            {
                // Another stall during a grace adds to it only what would end later.
                _noticed = due > _noticed ? now : _noticed;
                var (from, left) = (_graceEnds > _noticed ? _graceEnds : _noticed, Min((now - _usedUp) / Share, Grace));
                var added = Min(_noticed + Min(_noticed - due, Grace) - from, left);
                if (added > TimeSpan.Zero)
                {
                    _began = Min(Min(due, _lastCheck), now < _graceEnds ? _began : due);
                    (_graceEnds, _usedUp) = (from + added, now - (Share * (left - added)));
                }
            }

            var holds = overdue == default || (now - overdue >= _began && now - overdue <= _noticed);
            return holds && now < _graceEnds ? _graceEnds - now : TimeSpan.Zero;
        }
    }

    private static TimeSpan Min(TimeSpan one, TimeSpan other) => one < other ? one : other;
}
