using ScalableTimers.Clock;
using ScalableTimers.Timers;

namespace ScalableTimers.Timeouts;

/// <summary>A cancellation source with a timer, which is rented again and again.</summary>
/// <remarks>
/// <para>
/// The known danger of pooled sources is a cancellation that has begun and then reaches the next tenant. Here a
/// canceller must first change the state of exactly the tenancy it means from rented to cancelled, by one
/// compare-exchange. The thread that ends a tenancy changes the same state to idle. One of the two wins. A source that
/// was cancelled is never rented again.
/// </para>
/// <para>
/// A firing of the timer does not know for which tenancy the timer was armed. It need not know, because it reads the
/// state before the deadline. If the state is unchanged at the compare-exchange, the deadline was that tenancy's. If
/// the deadline has not passed, the timer is set for the time that is left. So the timer is not stopped when a tenancy
/// ends. The next tenancy, whose deadline is usually later, finds the timer already set. Setting and stopping the timer
/// for each tenancy would cost more than everything else. If nobody rents the source any more, its timer fires once,
/// for nothing.
/// </para>
/// <para>
/// The <see cref="CancellationTokenSource"/> has no timer of its own: <see cref="CancellationTokenSource.TryReset"/>
/// rejects a source whose timer is not the system clock's, and the system clock's timers fire early. A pool of .NET's
/// sources costs as much and needs less code, but has none of these properties: see docs/getting-started.md.
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
    //   other fields    the tenant, between the compare-exchanges that begin and end the tenancy
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

        // The timer must not capture the AsyncLocals of the code that happens to rent the source first.
        using var flow = ExecutionContext.IsFlowSuppressed() ? default : ExecutionContext.SuppressFlow();
        _timer = service.TimeProvider.CreateTimer(
            static leased => ((LeasedTimeout)leased!).Wake(),
            this,
            Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan);
    }

    internal CancellationToken Token => _source.Token;

    /// <summary>The next timeout on the stack.</summary>
    internal LeasedTimeout? Next { get; set; }

    /// <param name="timeout">Positive and not infinite.</param>
    /// <param name="caller">The caller's token, which also cancels.</param>
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

        // If two threads return it at once, one succeeds. If a cancellation comes in between, the retry returns it as
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
            // Nobody will rent this timeout again, and its timer would keep it alive.
            EndTimer();
        }
    }

    /// <summary>Ends the timer. Called when nobody has rented the timeout and nobody can rent it any more.</summary>
    internal void EndTimer() => _timer.Dispose();

    // The timer may fire too early for this tenancy, at a time that an earlier tenancy set. Then the service's timer is
    // set for this tenancy's deadline or earlier, so that a next tenancy, which may begin in the meantime, is not
    // delayed. A clock's own timer, after the end of the service, serves one tenancy only.
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
#pragma warning disable CA1031 // No caller is there to catch what a registration throws.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            _owner.Report(exception);
        }
    }

    // While the source is registered with a caller's token, the state cannot change to that of another tenancy: see
    // Return.
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

        // The clock's own timer, after the end of the service. It usually fires early and is then set again.
        var wait = _clock.UntilTimestamp(dueAt);
        _timer.Change(wait < DueTime.LongestTimer ? wait : DueTime.LongestTimer, Timeout.InfiniteTimeSpan);
    }
}
