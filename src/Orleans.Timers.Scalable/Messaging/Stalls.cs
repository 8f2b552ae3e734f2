using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers;
using ScalableTimers.Firing;
using ScalableTimers.Metrics;

namespace Orleans.Timers.Scalable.Messaging;

/// <summary>
/// Knows whether the process has just stalled: it was stopped, its machine paused, or a garbage collection took long.
/// </summary>
/// <remarks>
/// <para>
/// Answers that arrived during the stall are then still unread in the sockets, while the timers of their calls are due.
/// So timeouts wait for a while after a stall, up to the second by which Orleans' own are late anyway.
/// </para>
/// <para>
/// A timer that fires later than the clock explains signals a stall. The first to ask notices it: by its own lateness,
/// or because the heartbeat, which is the check for response timeouts, is overdue. Everything that was due before that
/// moment belongs to the same stall.
/// </para>
/// <para>
/// Blocked pool threads make timers late as well, one after another. Timeouts that waited long for each would be later
/// than Orleans' own. So after a very late timer, all must be less late for a while before the next such timer signals
/// a stall again, unless it is far later.
/// </para>
/// </remarks>
internal sealed partial class Stalls : IDisposable
{
    internal const string Instrument = "scalable_timers.stalls";

    /// <summary>
    /// The longest that timeouts wait after a stall, and never longer than it lasted: the period of Orleans' own check.
    /// </summary>
    internal static readonly TimeSpan Grace = TimeSpan.FromSeconds(1);

    /// <summary>Longer stalls are logged and counted.</summary>
    internal static readonly TimeSpan Remarkable = TimeSpan.FromMilliseconds(500);

    /// <summary>How long all timers must be less late before the next such timer signals a stall again.</summary>
    internal static readonly TimeSpan Recovery = TimeSpan.FromSeconds(2);

    // The lateness that a running process adds to the clock's resolution.
    private static readonly TimeSpan s_slack = TimeSpan.FromMilliseconds(10);

    // Guards
    //   all that are not read-only, except the last three   _lock; _count is also read without it
    //
    // _noticed, _lag, _isCounted: the last stall, the greatest lateness of its timers, and whether it was counted.
    // _began, _ended: the last stall that gave grace, or several of which each began in the grace of the one before.
    private readonly Lock _lock = new();
    private readonly TimeProvider? _clock;
    private readonly long _origin;
    private TimeSpan _beat;
    private TimeSpan _nextBeat = TimeSpan.MaxValue;
    private TimeSpan _lastLate = TimeSpan.MinValue / 2;
    private TimeSpan _lastLag;
    private TimeSpan _noticed = TimeSpan.MinValue / 2;
    private TimeSpan _lag;
    private bool _isCounted;
    private TimeSpan _began;
    private TimeSpan _ended;
    private TimeSpan _graceEnds = TimeSpan.MinValue / 2;
    private long _count;
    private ILogger? _logger;
    private KeyValuePair<string, object?> _silo;
    private Publication<Stalls>? _publication;

    /// <param name="clock">Null for a clock that does not show when the process stalls: a test's.</param>
    /// <param name="resolution">How late its timers are without a stall.</param>
    internal Stalls(TimeProvider? clock, TimeSpan resolution = default)
    {
        _clock = clock;
        UsualLag = resolution + s_slack;
        _origin = clock?.GetTimestamp() ?? 0;
    }

    /// <summary>How late a timer may be in a running process.</summary>
    internal TimeSpan UsualLag { get; }

    internal long Count => Interlocked.Read(ref _count);

    /// <summary>Creates the stalls that the timeouts of a service take into account.</summary>
    internal static Stalls Of(TimerService timers) => new(
        ReferenceEquals(timers.Clock.Provider, TimeProvider.System) ? TimeProvider.System : null,
        timers.Clock.Resolution);

    /// <summary>Logs and publishes the stalls of a silo or client from now on.</summary>
    internal Stalls Publish(IServiceProvider services)
    {
        _logger = new NonThrowingLogger(PluginLog.Of<Stalls>(services.GetRequiredService<ILoggerFactory>()));
        _silo = PluginMeter.Silo(TimerServiceName.Host(services));
        _publication = new Publication<Stalls>(
            this,
            PluginMeter.Create(services.GetService<IMeterFactory>()),
            static instruments => instruments.AddCounter(
                Instrument,
                static stalls => new[] { new Measurement<long>(stalls.Count, stalls._silo) },
                "{stall}",
                "Times that the process stood still for more than half a second."));
        return this;
    }

    public void Dispose() => _publication?.Dispose();

    /// <summary>Tells when the heartbeat comes next; null if it does not, or not at a known time.</summary>
    internal void ExpectBeat(TimeSpan? dueTime)
    {
        lock (_lock)
        {
            _beat = Now();
            _nextBeat = dueTime is { } next ? _beat + next : TimeSpan.MaxValue;
        }
    }

    /// <summary>How long a timeout that is due must wait, because the process has just stalled.</summary>
    /// <param name="lateness">The lateness of the timer that fired; zero if it signals nothing.</param>
    internal TimeSpan GraceOfTimeout(TimeSpan lateness = default)
    {
        if (_clock is null)
        {
            return TimeSpan.Zero;
        }

        Notice(lateness);
        lock (_lock)
        {
            var left = _graceEnds - Now();
            return left > TimeSpan.Zero ? left : TimeSpan.Zero;
        }
    }

    /// <summary>How much longer a passed deadline still holds; zero unless it passed during a stall.</summary>
    /// <param name="overdue">How long ago it passed.</param>
    internal TimeSpan GraceOfDeadline(TimeSpan overdue)
    {
        var left = GraceOfTimeout();
        if (left == TimeSpan.Zero)
        {
            return left;
        }

        lock (_lock)
        {
            var passed = Now() - overdue;
            return passed >= _began && passed <= _ended ? left : TimeSpan.Zero;
        }
    }

    private void Notice(TimeSpan lateness)
    {
        TimeSpan lag;
        lock (_lock)
        {
            var now = Now();
            var due = now - lateness < _nextBeat ? now - lateness : _nextBeat;
            if (now - due <= UsualLag)
            {
                return;
            }

            // What was due before the last stall was noticed belongs to that stall, and may show that it was longer.
            if (due > _noticed)
            {
                (_noticed, _lag, _isCounted) = (now, TimeSpan.Zero, false);
            }

            var lastLate = _lastLate;
            _lastLate = now - due > Remarkable ? now : _lastLate;
            lag = _noticed - due;
            if (lag <= _lag)
            {
                return;
            }

            _lag = lag;
            var isFirstSign = lag > Remarkable && !_isCounted;
            if (isFirstSign)
            {
                var isAnother = due - Recovery > lastLate || lag > 2 * _lastLag;
                _lastLag = isAnother || lag > _lastLag ? lag : _lastLag;
                if (!isAnother)
                {
                    return;
                }

                _isCounted = true;
                _count++;
            }
            else if (_isCounted)
            {
                _lastLag = lag;
            }

            // A stall begins after the last heartbeat, or without one when the timer was due. A shorter one soon after
            // takes nothing away from the grace of a longer one.
            var began = due < _beat || _nextBeat == TimeSpan.MaxValue ? due : _beat;
            _began = now < _graceEnds && _began < began ? _began : began;
            _ended = _noticed;
            var ends = _noticed + GraceAfter(lag);
            _graceEnds = ends > _graceEnds ? ends : _graceEnds;
            if (!isFirstSign)
            {
                return;
            }
        }

        if (_logger is { } logger)
        {
            LogStall(logger, lag, GraceAfter(lag));
        }
    }

    private static TimeSpan GraceAfter(TimeSpan length) => length < Grace ? length : Grace;

    private TimeSpan Now() => _clock?.GetElapsedTime(_origin) ?? TimeSpan.Zero;

    [LoggerMessage(
        1,
        LogLevel.Warning,
        "The process stood still: a timer was {Lag} late. Call timeouts wait {Grace} longer, so that answers that have "
            + "arrived are read first.")]
    private static partial void LogStall(ILogger logger, TimeSpan lag, TimeSpan grace);
}
