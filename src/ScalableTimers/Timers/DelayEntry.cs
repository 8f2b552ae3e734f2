using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;
using ScalableTimers.Collections;
using ScalableTimers.Firing;

namespace ScalableTimers.Timers;

/// <summary>
/// A pooled awaitable that completes at its deadline, or earlier by one of two tokens or when the service stops.
/// </summary>
/// <remarks>
/// One life: rented, told its tokens, begun, completed once, read once, returned. Who completes it is decided by a
/// compare-exchange of its <see cref="EntryState"/>. It goes back to the pool only when its registrations are gone and
/// none of their callbacks is running, so a late cancellation cannot reach the next user.
/// </remarks>
internal sealed class DelayEntry(TimerCollection collection)
    : PooledEntry(collection), IFiringTarget, IValueTaskSource, IValueTaskSource<bool>
{
    private static readonly Action<object?> s_cancelByToken =
        static entry => Unsafe.As<DelayEntry>(entry!).Cancel(DelayOutcome.CancelledByToken);
    private static readonly Action<object?> s_cancelByScope =
        static entry => Unsafe.As<DelayEntry>(entry!).Cancel(DelayOutcome.CancelledByScope);

    // Guards
    //   State                   see there
    //   _core, _token, _scope   the thread that completes it, then the one that reads it; handed on by completion
    //                           itself
    private ManualResetValueTaskSourceCore<bool> _core;
    private CancellationTokenRegistration _token;
    private DelayScope? _scope;

    /// <summary>
    /// Begins a delay for a caller that reads it once. Called by the collection's owner, or by any thread if all share
    /// the collection.
    /// </summary>
    /// <param name="collection">Where to.</param>
    /// <param name="dueTime">Not negative, or infinite.</param>
    /// <param name="options">Its kind.</param>
    /// <param name="token">Ends it.</param>
    /// <param name="scope">Ends it too.</param>
    /// <param name="observer">Hears of its beginning and of its end.</param>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    internal static DelayEntry Begin(
        TimerCollection collection,
        TimeSpan dueTime,
        DelayOptions options,
        CancellationToken token,
        CancellationToken scope,
        DelayObserver? observer = null)
    {
        var deadlineTick = collection.DeadlineTick(dueTime);
        observer?.OnBegun();
        DelayEntry? entry = null;
        try
        {
            entry = Rent(collection);
            entry.Prepare(token, scope, observer);
            entry.Start(options, deadlineTick, token, scope);
            return entry;
        }
        catch
        {
            // Nobody gets the delay. If it lives all the same, it ends later and tells nobody.
            entry?.Abandon();
            if (entry is null)
            {
                observer?.OnEnded();
            }

            throw;
        }
    }

    /// <summary>
    /// First step: finds or makes an idle delay. Where all threads share the collection nobody keeps any without the
    /// lock.
    /// </summary>
    internal static DelayEntry Rent(TimerCollection collection) =>
        Unsafe.As<DelayEntry?>(collection.Delays.TryTake() ?? PopFree(collection)) ?? new DelayEntry(collection);

    internal ValueTask AsValueTask() => new(this, _core.Version);

    internal ValueTask<bool> AsValueTaskOfBool() => new(this, _core.Version);

    /// <summary>That of its present life.</summary>
    internal short Version => _core.Version;

    /// <summary>
    /// Second step: what may cancel it. A cancellation that comes before <see cref="Start"/> is found there.
    /// </summary>
    internal void Prepare(CancellationToken token, CancellationToken scope, DelayObserver? observer = null)
    {
        if (scope.CanBeCanceled || observer is not null)
        {
            PrepareScope(observer, scope);
        }

        if (token.CanBeCanceled)
        {
            _token = token.UnsafeRegister(s_cancelByToken, this);
        }
    }

    /// <summary>Third step: it lives from now on. It may complete before this returns.</summary>
    /// <param name="options">Its kind.</param>
    /// <param name="deadlineTick">What <see cref="TimerCollection.DeadlineTick"/> has returned.</param>
    /// <param name="token">What it was prepared with.</param>
    /// <param name="scope">What else it was prepared with.</param>
    internal void Start(DelayOptions options, long deadlineTick, CancellationToken token, CancellationToken scope)
    {
        var collection = Collection;
        var me = collection.Scheduler;
        collection.Enter(me);
        var last = (options & DelayOptions.SurvivesStop) != 0 ? ServicePhase.Disposed : ServicePhase.Stopping;
        if (collection.Phase >= last)
        {
            SkipAndExit(options, me);
            Complete(DelayOutcome.Stopped, token, scope);
            return;
        }

        State.BeginLocked((int)options);
        collection.LinkOrMoveAndExit(this, deadlineTick, me);

        // A cancellation that found the delay not yet begun has left it alone. On another thread it looked under the
        // lock, after it had marked its token. Then the lock was entered here after it, and the mark is seen.
        if (token.IsCancellationRequested)
        {
            CancelAtStart(DelayOutcome.CancelledByToken, token, scope);
        }
        else if (scope.IsCancellationRequested)
        {
            CancelAtStart(DelayOutcome.CancelledByScope, token, scope);
        }
    }

    /// <summary>Completes one that no token has ended. The caller has ended it and holds no lock.</summary>
    internal void Complete(DelayOutcome outcome, bool continueOnPool = false) =>
        Complete(outcome, default, default, continueOnPool);

    /// <summary>Completes it. The caller has ended it, or never begun it, and holds no lock.</summary>
    /// <remarks>
    /// A token that is cancelled while it is being registered leaves no registration to ask for it, so both are passed.
    /// </remarks>
    internal void Complete(
        DelayOutcome outcome, CancellationToken token, CancellationToken scope, bool continueOnPool = false)
    {
        var cancelledBy = outcome switch
        {
            DelayOutcome.CancelledByToken => token,
            DelayOutcome.CancelledByScope => scope,
            _ => default,
        };

        // A delay that nobody reads must not stay registered with a token that lives on.
        if (_token.Unregister())
        {
            _token = default;
        }

        if (_scope is not null)
        {
            LeaveScope(_scope);
        }

        // Read before completion: after it the entry may have its next life already.
        var reportsCancellation = ((DelayOptions)State.Options & DelayOptions.ReportCancellation) != 0;
        _core.RunContinuationsAsynchronously = continueOnPool;
        if (outcome == DelayOutcome.Elapsed)
        {
            _core.SetResult(true);
        }
        else if (reportsCancellation)
        {
            _core.SetResult(false);
        }
        else
        {
            // What Task.Delay throws, so that replacing it breaks no handler.
            var message = outcome == DelayOutcome.Stopped
                ? "The timer service has been stopped."
                : "The delay was cancelled.";
            _core.SetException(new TaskCanceledException(message, innerException: null, cancelledBy));
        }
    }

    internal override bool TryExpireLocked(long nowTick, out FiringItem item)
    {
        item = new FiringItem(this);
        return TryEnd(out _);
    }

    internal override ServiceEnd EndWithServiceLocked(ServicePhase phase)
    {
        var survives = phase != ServicePhase.Disposed && ((DelayOptions)State.Options & DelayOptions.SurvivesStop) != 0;
        return !survives && TryEnd(out _) ? ServiceEnd.Cancelled : ServiceEnd.None;
    }

    // In virtual time the test that stops the service sees what follows from it at once.
    internal override void FinishEnd() => Complete(DelayOutcome.Stopped, continueOnPool: !Collection.IsShared);

    void IFiringTarget.Fire() => Complete(DelayOutcome.Elapsed);

    void IValueTaskSource.GetResult(short token) => Read(token);

    bool IValueTaskSource<bool>.GetResult(short token) => Read(token);

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    // Called by the registrations.
    private void Cancel(DelayOutcome outcome)
    {
        if (!Collection.IsCalledByOwner)
        {
            if (TryEndAndUnlink())
            {
                CompleteCancelled(outcome);
            }
        }
        else if (TryEnd(out var ended))
        {
            Collection.CountCancelledByOwner();
            try
            {
                CompleteCancelled(outcome);
            }
            finally
            {
                // The result of a delay has yet to be read, and until then its entry is nobody's to use again. Mostly
                // whoever awaited it has read it by now, and the entry is kept or lives again. Resuming an awaiter may
                // also throw, as a context that has been closed does.
                if (State.Read() == ended)
                {
                    UnlinkUnread();
                }
            }
        }
    }

    // A cancellation that comes while the delay is begun. Its registration is not spent: the callback may be on its way
    // still.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void CancelAtStart(DelayOutcome outcome, CancellationToken token, CancellationToken scope)
    {
        if (TryEndAndUnlink())
        {
            Complete(outcome, token, scope);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryEndAndUnlink()
    {
        var collection = Collection;
        var me = Environment.CurrentManagedThreadId;
        collection.Enter(me);
        var isOurs = TryEnd(out _);
        if (isOurs)
        {
            collection.UnlinkCancelledLocked(this);
        }

        collection.Exit(me);
        return isOurs;
    }

    // A delay that nobody reads must not stay linked. It is not living again: the owner begins lives here, and the
    // owner is what calls this.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UnlinkUnread()
    {
        var collection = Collection;
        var me = collection.Scheduler;
        collection.Enter(me);
        collection.UnlinkEndedLocked(this);
        collection.Exit(me);
    }

    // Ends the present life, unless it has ended or not begun. Whoever ends it completes it. The word says so until the
    // result has been read.
    private bool TryEnd(out long ended)
    {
        var life = State.Read();
        ended = EntryState.EndOf(life, hasResult: true);
        return EntryState.IsLive(life) && State.TryEnd(life, hasResult: true);
    }

    // Completes one that the calling registration has ended.
    private void CompleteCancelled(DelayOutcome outcome)
    {
        // That registration is spent: its callback touches the entry no more.
        var token = _token.Token;
        var scope = _scope?.Registration.Token ?? default;
        if (outcome == DelayOutcome.CancelledByToken)
        {
            _token = default;
        }
        else
        {
            _scope!.Registration = default;
        }

        Complete(outcome, token, scope);
    }

    private bool Read(short token)
    {
        // A wrong token or a read before the end throws here, and leaves the entry to its rightful reader.
        if (_core.GetStatus(token) == ValueTaskSourceStatus.Pending)
        {
            throw new InvalidOperationException(
                "The delay has not ended. A ValueTask may be awaited once, and read only when it is complete.");
        }

        var hasElapsed = false;
        try
        {
            hasElapsed = _core.GetResult(token);
            return hasElapsed;
        }
        finally
        {
            // Dispose waits for a callback that lost the race and is on its way out; from within that callback it does
            // not.
            _token.Dispose();
            _token = default;
            if (_scope is not null)
            {
                _scope.Registration.Dispose();
                _scope.Registration = default;
            }

            _core.Reset();
            State.Release();
            GiveBack(hasElapsed);
        }
    }

    // When its reader has read it, or nobody will.
    private void GiveBack(bool hasElapsed)
    {
        var collection = Collection;
        if (collection.IsCalledByOwner)
        {
            collection.Keep(this, ref collection.Delays);
            return;
        }

        // When many elapse at once most are left to the garbage collector, and need not wait for one another and for
        // the driver first. They have been unlinked for good. Others may be linked still, and whether they are is seen
        // under the lock only: a cascade unlinks for a moment.
        if (hasElapsed && collection.Delays.IsFull)
        {
            return;
        }

        var me = Environment.CurrentManagedThreadId;
        collection.Enter(me);
        collection.UnlinkAndReleaseLocked(this, ref collection.Delays);
        collection.Exit(me);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void SkipAndExit(DelayOptions options, int me)
    {
        State.SkipLocked((int)options);
        Collection.UnlinkEndedLocked(this);
        Collection.Exit(me);
    }

    // Lets go of a delay that could not be started. Called by the thread that rented it.
    private void Abandon()
    {
        _token.Dispose();
        _scope?.Registration.Dispose();
        _scope?.EndObservation();
        if (EntryState.IsIdle(State.Read()))
        {
            _token = default;
            GiveBack(hasElapsed: false);
        }
    }

    private static PooledEntry? PopFree(TimerCollection collection)
    {
        if (!collection.Delays.HasFree)
        {
            return null;
        }

        var me = collection.Scheduler;
        collection.EnterOpen(me);
        var entry = collection.Delays.TryPopLocked();
        collection.Exit(me);
        return entry;
    }

    private void PrepareScope(DelayObserver? observer, CancellationToken scope)
    {
        _scope ??= new DelayScope();
        _scope.Observe(observer);
        _scope.Registration = scope.UnsafeRegister(s_cancelByScope, this);
    }

    private static void LeaveScope(DelayScope scope)
    {
        if (scope.Registration.Unregister())
        {
            scope.Registration = default;
        }

        scope.EndObservation();
    }
}
