using System.Runtime.CompilerServices;
using ScalableTimers.Firing;
using ScalableTimers.Queues;
using ScalableTimers.Timers;

namespace ScalableTimers.Timeouts;

/// <summary>A cancellation source with a timer, which is rented again and again.</summary>
/// <remarks>
/// <para>
/// A cancellation that has begun must not reach the next tenant. The timer of a tenancy decides: whoever ends it first,
/// by firing or by cancelling it, ends the tenancy, and all others do nothing. A timer's handle never refers to a later
/// timer, so a lease that is disposed again ends nothing. A source that was cancelled is never rented again.
/// </para>
/// <para>
/// The <see cref="CancellationTokenSource"/> has no timer of its own: <see cref="CancellationTokenSource.TryReset"/>
/// rejects a source whose timer is not the system clock's, and the system clock's timers fire early.
/// </para>
/// </remarks>
// The source holds no handle and no timer.
#pragma warning disable CA1001
internal sealed class LeasedTimeout(TimeoutLeases owner)
#pragma warning restore CA1001
{
    private static readonly TimerCallback s_timeOut = static leased => ((LeasedTimeout)leased!).TimeOut();
    private static readonly Action<object?> s_cancel = static leased => ((LeasedTimeout)leased!).CancelByCaller();
    private static readonly TimerCallback s_cancelSource = static leased => ((LeasedTimeout)leased!)._source.Cancel();
    private static readonly WaitCallback s_cancelOnPool = static leased => ((LeasedTimeout)leased!).CancelOnPool();

    // Guards
    //   _timer          the tenant: set before the caller's token can cancel, cleared when nothing can any more
    //   _registration   the tenant, before it looks at _isOver; the thread that ends the tenancy
    //   _isOver         set once, by the timer
    private readonly CancellationTokenSource _source = new();
    private ScheduledTimer _timer;
    private CancellationTokenRegistration _registration;
    private bool _isOver;

    internal CancellationToken Token => _source.Token;

    /// <summary>The next timeout on the stack.</summary>
    internal LeasedTimeout? Next { get; set; }

    internal TimeoutLease Rent(TimeSpan timeout, CancellationToken caller)
    {
        var queue = QueueRegistry.CurrentOrClosed(owner.Queues);
        _timer = CallbackEntry.Schedule(queue, s_timeOut, this, timeout, CallbackEntry.OutlivesService);
        var lease = new TimeoutLease(this, _timer);
        if (caller.CanBeCanceled)
        {
            Register(caller);
        }

        return lease;
    }

    /// <summary>Whether a tenancy has timed out.</summary>
    internal bool HasTimedOut(ScheduledTimer timer) => Volatile.Read(ref _isOver) && _timer == timer;

    /// <summary>Ends a tenancy, unless it has ended.</summary>
    internal void Return(ScheduledTimer timer)
    {
        if (!timer.Cancel())
        {
            return;
        }

        var registration = _registration;
        _registration = default;
        var isQuiet = registration == default || registration.Unregister();
        if (isQuiet && _source.TryReset())
        {
            // The next timer may time out before its handle is stored. This tenant must not take that for its own.
            _timer = default;
            owner.TryKeep(this);
        }
    }

    private void Register(CancellationToken caller)
    {
        _registration = caller.UnsafeRegister(s_cancel, this);

        // TimeOut sets _isOver, then unregisters what it finds. At least one of the two threads unregisters it.
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _isOver))
        {
            _registration.Unregister();
        }
    }

    private void TimeOut()
    {
        Volatile.Write(ref _isOver, true);
        Interlocked.MemoryBarrier();
        _registration.Unregister();
        _source.Cancel();
    }

    // While the source is registered with a caller's token, it is not rented to another tenant: see Return.
    private void CancelByCaller()
    {
        if (!_timer.Cancel())
        {
            return;
        }

        // A registration may cancel the caller's token of the next lease, and so on: such a chain goes on on the pool.
        if (RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            _source.Cancel();
        }
        else
        {
            ThreadPool.UnsafeQueueUserWorkItem(s_cancelOnPool, this);
        }
    }

    // The code that cancels the caller's token is not below on this stack, so it cannot get a registration's exception.
    private void CancelOnPool() => owner.Queues.Dispatcher.Fire(new FiringItem(s_cancelSource, this));
}
