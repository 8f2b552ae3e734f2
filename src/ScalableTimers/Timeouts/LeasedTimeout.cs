using ScalableTimers.Clock;
using ScalableTimers.Timers;

namespace ScalableTimers.Timeouts;

/// <summary>A cancellation source with a timer, rented again and again.</summary>
/// <remarks>
/// <para>
/// The known danger of pooled sources is a cancellation that has begun and reaches the next tenant. Here whoever wants
/// to cancel must first turn the state of the very tenancy it means from rented to cancelled, by one compare-exchange;
/// and whoever ends a tenancy turns the same state to idle. One of the two wins. A source that lost is never rented
/// again.
/// </para>
/// <para>
/// A firing of the timer does not know which tenancy it was armed for. It need not: it reads the state before the
/// deadline. If the state has not changed by the compare-exchange, the deadline was that tenancy's; and if it is not
/// over, the timer is set for what is left. So nothing stops the timer when a tenancy ends, and the next one, whose
/// deadline is mostly later, finds it set: setting and stopping it for each would cost more than all else. A source
/// that nobody rents any more has it fire once, for nothing.
/// </para>
/// <para>
/// The source has no timer of its own: <see cref="CancellationTokenSource.TryReset"/> refuses one whose timer is not
/// the system clock's, and those are early. A pool of .NET's sources costs as much and is shorter, but has none of
/// this: see docs/timeout-tokens.md.
/// </para>
/// </remarks>
// The source holds no handle and no timer, and the timer is disposed when the last tenancy ends.
#pragma warning disable CA1001
internal sealed class LeasedTimeout
#pragma warning restore CA1001
{
    private const long PhaseMask = 3;
    private const long Idle = 0;
    private const long Rented = 1;
    private const long TimedOut = 2;
    private const long CancelledByCaller = 3;

    // Guards
    //   _state          compare-exchange; the version in the upper 62 bits, the phase in the lower two
    //   all else        the tenant, between the compare-exchanges that begin and end the tenancy
    private readonly TimeoutLeases _owner;
    private readonly TickClock _clock;
    private readonly CancellationTokenSource _source = new();
    private readonly ITimer _timer;
    private CancellationTokenRegistration _registration;
    private long _dueAt;
    private long _state;

    internal LeasedTimeout(TimeoutLeases owner, TimerService service)
    {
        _owner = owner;
        _clock = service.Clock;

        // Whoever rents it first must not lend it AsyncLocals.
        using var flow = ExecutionContext.IsFlowSuppressed() ? default : ExecutionContext.SuppressFlow();
        _timer = service.TimeProvider.CreateTimer(
            static leased => ((LeasedTimeout)leased!).Wake(),
            this,
            Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan);
    }

    internal CancellationToken Token => _source.Token;

    /// <summary>The next in the pool.</summary>
    internal LeasedTimeout? Next { get; set; }

    /// <param name="timeout">Positive and not infinite.</param>
    /// <param name="caller">The other token.</param>
    internal TimeoutLease Rent(TimeSpan timeout, CancellationToken caller)
    {
        var version = (_state >> 2) + 1;
        _dueAt = _clock.DueAt(timeout);
        Volatile.Write(ref _state, (version << 2) | Rented);
        Arm(_dueAt);

        if (caller.CanBeCanceled)
        {
            _registration = caller.UnsafeRegister(
                static leased => ((LeasedTimeout)leased!).Cancel(CancelledByCaller), this);
        }

        return new TimeoutLease(this, version);
    }

    internal bool HasTimedOut(long version) => Volatile.Read(ref _state) == ((version << 2) | TimedOut);

    internal void Return(long version)
    {
        var idle = (version << 2) | Idle;
        var state = Volatile.Read(ref _state);
        if (state >> 2 != version || state == idle)
        {
            return;
        }

        // Of two who return it at once one succeeds; a cancellation may come between, and then it is returned as
        // cancelled.
        var found = Interlocked.CompareExchange(ref _state, idle, state);
        if (found != state)
        {
            Return(version);
            return;
        }

        var registration = _registration;
        _registration = default;
        var isQuiet = registration == default || registration.Unregister();
        if ((state & PhaseMask) != Rented || !isQuiet || !_source.TryReset() || !_owner.TryKeep(this))
        {
            // Nobody rents it again, and its timer would keep it alive.
            EndTimer();
        }
    }

    /// <summary>Ends the timer. Called when nobody has rented the timeout, and nobody can.</summary>
    internal void EndTimer() => _timer.Dispose();

    // It may come early for this tenancy, at the time that an earlier one wanted. The service's timer is then set for
    // no later than this one's, so that a next tenancy, which may begin meanwhile, is not put off; a clock's own, after
    // the end of the service, has one tenancy only.
    private void Wake()
    {
        var state = Volatile.Read(ref _state);
        if ((state & PhaseMask) != Rented)
        {
            return;
        }

        var dueAt = Volatile.Read(ref _dueAt);
        if (dueAt <= _clock.Now())
        {
            TimeOut(state);
            return;
        }

        Arm(dueAt);
    }

    private void TimeOut(long state)
    {
        try
        {
            Cancel(TimedOut, state);
        }
#pragma warning disable CA1031 // Nobody else is there to hear what a registration throws.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            _owner.Report(exception);
        }
    }

    // While the source is registered with a caller's token, the state cannot become another tenancy's: see Return.
    private void Cancel(long phase) => Cancel(phase, Volatile.Read(ref _state));

    private void Cancel(long phase, long state)
    {
        if ((state & PhaseMask) == Rented
            && Interlocked.CompareExchange(ref _state, (state & ~PhaseMask) | phase, state) == state)
        {
            _source.Cancel();
        }
    }

    private void Arm(long dueAt)
    {
        if (_timer is ProviderTimer timer)
        {
            timer.FireNoLaterThan(dueAt);
            return;
        }

        // The clock's own, after the end of the service. Mostly it rings early, and is set again.
        var wait = _clock.UntilTimestamp(dueAt);
        _timer.Change(wait < DueTime.LongestTimer ? wait : DueTime.LongestTimer, Timeout.InfiniteTimeSpan);
    }
}
