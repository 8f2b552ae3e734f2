using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;
using ScalableTimers.Collections;
using ScalableTimers.Firing;

namespace ScalableTimers.Timers;

/// <summary>
/// A pooled awaitable that completes at its deadline, or earlier when one of two tokens is cancelled or the service
/// stops.
/// </summary>
/// <remarks>
/// An entry's life: it is rented, registered with its tokens, started, completed once, read once and returned. A
/// compare-exchange of its <see cref="EntryState"/> decides which thread completes it. The entry goes back to the pool
/// only when its registrations are gone and none of their callbacks is running, so a late cancellation cannot reach the
/// next user.
/// </remarks>
internal sealed class DelayEntry(TimerCollection collection)
    : PooledEntry(collection), IFiringTarget, IValueTaskSource, IValueTaskSource<bool>
{
    private static readonly Action<object?> s_cancelByToken =
        static entry => Unsafe.As<DelayEntry>(entry!).Cancel(DelayOutcome.CancelledByToken);
    private static readonly Action<object?> s_cancelByScope =
        static entry => Unsafe.As<DelayEntry>(entry!).Cancel(DelayOutcome.CancelledByScope);

    // Guards
    //   State                   see EntryState
    //   _core, _token, _scope   the thread that completes the delay, then the thread that reads it; the completion
    //                           itself hands them over
    private ManualResetValueTaskSourceCore<bool> _core;
    private CancellationTokenRegistration _token;
    private DelayScope? _scope;

    /// <summary>
    /// Starts a delay for a caller that reads its result once. Called by the collection's owner, or by any thread if
    /// all threads share the collection.
    /// </summary>
    /// <param name="collection">The collection to link the delay into.</param>
    /// <param name="dueTime">Not negative, or infinite.</param>
    /// <param name="options">The kind of the delay.</param>
    /// <param name="token">Ends the delay.</param>
    /// <param name="scope">Ends the delay too.</param>
    /// <param name="observer">Is notified when the delay begins and when it ends.</param>
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
        var entry = Rent(collection);
        entry.Prepare(token, scope, observer);
        entry.Start(options, deadlineTick, token, scope);
        return entry;
    }

    /// <summary>
    /// First step: takes an idle delay or creates one. Where all threads share the collection, no thread keeps idle
    /// delays without the lock.
    /// </summary>
    internal static DelayEntry Rent(TimerCollection collection) =>
        Unsafe.As<DelayEntry?>(collection.Delays.TryTake() ?? PopFree(collection)) ?? new DelayEntry(collection);

    internal ValueTask AsValueTask() => new(this, _core.Version);

    internal ValueTask<bool> AsValueTaskOfBool() => new(this, _core.Version);

    /// <summary>The version of the present life.</summary>
    internal short Version => _core.Version;

    /// <summary>
    /// Second step: registers the delay with what may cancel it. <see cref="Start"/> detects a cancellation that comes
    /// earlier.
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

    /// <summary>Third step: the delay is live from now on. It may complete before this method returns.</summary>
    /// <param name="options">The kind of the delay.</param>
    /// <param name="deadlineTick">The result of <see cref="TimerCollection.DeadlineTick"/>.</param>
    /// <param name="token">The token that was passed to <see cref="Prepare"/>.</param>
    /// <param name="scope">The scope that was passed to <see cref="Prepare"/>.</param>
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
        try
        {
            collection.LinkOrMoveAndExit(this, deadlineTick, me);
        }
        catch
        {
            // A user's clock could not be set. The caller never gets this delay, and nobody reads it.
            if (TryEndAndUnlink())
            {
                Complete(DelayOutcome.Stopped, token, scope);
            }

            throw;
        }

        // A cancellation that came before the delay was live did nothing to it. If it ran on another thread, it first
        // marked its token and then checked the state under the lock. This thread entered the lock after it, so this
        // thread sees the mark.
        if (token.IsCancellationRequested)
        {
            CancelAtStart(DelayOutcome.CancelledByToken, token, scope);
        }
        else if (scope.IsCancellationRequested)
        {
            CancelAtStart(DelayOutcome.CancelledByScope, token, scope);
        }
    }

    /// <summary>
    /// Completes a delay that no token has ended. The caller has ended the delay's life and holds no lock.
    /// </summary>
    internal void Complete(DelayOutcome outcome, bool continueOnPool = false) =>
        Complete(outcome, default, default, continueOnPool);

    /// <summary>
    /// Completes the delay. The caller has ended the delay's life, or never begun it, and holds no lock.
    /// </summary>
    /// <remarks>
    /// Both tokens are parameters: a token that is cancelled during its registration leaves no registration to read it
    /// from.
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

        // A delay that nobody reads must not stay registered with a token that outlives it.
        if (_token.Unregister())
        {
            _token = default;
        }

        string? reason = null;
        if (_scope is not null)
        {
            reason = LeaveScope(_scope, outcome);
        }

        // Read before completion: afterwards the entry may already be in its next life.
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
            // The exception that Task.Delay throws, so that replacing Task.Delay breaks no handler.
            var message = reason ?? (outcome == DelayOutcome.Stopped
                ? "The timer service has been stopped."
                : "The delay was cancelled.");
            _core.SetException(new TaskCanceledException(message, innerException: null, cancelledBy));
        }
    }

    internal override bool TryExpireLocked(long nowTick, out FiringItem item)
    {
        item = new FiringItem(this);
        return TryEnd(out _);
    }

    internal override bool TryReadLocked(out PendingEntry pending)
    {
        pending = new PendingEntry(PendingTimerKind.Delay, DeadlineTick, Callback: null, State: null);
        return EntryState.IsLive(State.Read());
    }

    internal override ServiceEnd EndWithServiceLocked(ServicePhase phase)
    {
        var survives = phase != ServicePhase.Disposed && ((DelayOptions)State.Options & DelayOptions.SurvivesStop) != 0;
        return !survives && TryEnd(out _) ? ServiceEnd.Cancelled : ServiceEnd.None;
    }

    // In virtual time, the code that awaits the delay runs at once, so that a test that stops the service sees the
    // effect.
    internal override void FinishEnd() => Complete(DelayOutcome.Stopped, continueOnPool: !Collection.IsShared);

    void IFiringTarget.Fire() => Complete(DelayOutcome.Elapsed);

    void IValueTaskSource.GetResult(short token) => Read(token);

    bool IValueTaskSource<bool>.GetResult(short token) => Read(token);

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    // Called by the registrations' callbacks.
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
                // An entry cannot be reused until the result of its delay has been read. Usually the awaiter has read
                // it by now, and the entry is already kept for reuse or in its next life. Resuming an awaiter may also
                // throw, for example when its context has been closed.
                if (State.Read() == ended)
                {
                    UnlinkUnread();
                }
            }
        }
    }

    // Handles a cancellation that comes while the delay is starting. Its registration is still in use: the callback may
    // not have run yet.
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

    // A delay that nobody reads must not stay linked. Its next life cannot have begun: only the owner begins lives in
    // this collection, and the owner is the caller.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UnlinkUnread()
    {
        var collection = Collection;
        var me = collection.Scheduler;
        collection.Enter(me);
        collection.UnlinkEndedLocked(this);
        collection.Exit(me);
    }

    // Ends the present life, unless it has ended or has not begun. The thread that ends it also completes the delay.
    // The state word stays "ended" until the result has been read.
    private bool TryEnd(out long ended)
    {
        var life = State.Read();
        ended = EntryState.EndOf(life, hasResult: true);
        return EntryState.IsLive(life) && State.TryEnd(life, hasResult: true);
    }

    // Completes a delay that the calling registration has ended.
    private void CompleteCancelled(DelayOutcome outcome)
    {
        // The calling registration is used up: its callback no longer touches the entry.
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
        // A wrong token or a read before the end throws here, and leaves the entry to the reader that it belongs to.
        if (_core.GetStatus(token) == ValueTaskSourceStatus.Pending)
        {
            throw new InvalidOperationException(
                "The result of the delay was read before the delay had ended. Await the ValueTask, and only once.");
        }

        var hasElapsed = false;
        try
        {
            hasElapsed = _core.GetResult(token);
            return hasElapsed;
        }
        finally
        {
            // Dispose waits for a callback that lost the race and has not yet returned. Called from within that
            // callback, Dispose does not wait.
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

    // Returns the entry when its reader has read the result, or when nobody will read it.
    private void GiveBack(bool hasElapsed)
    {
        var collection = Collection;
        if (collection.IsCalledByOwner)
        {
            collection.Keep(this, ref collection.Delays);
            return;
        }

        // When many delays elapse at once, most are left to the garbage collector. They then need not wait for the
        // lock, which other threads and the driver use. Delays that have elapsed are unlinked for good. Other delays
        // may still be linked. Only under the lock can this be checked, because a cascade unlinks an entry for a
        // moment.
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

    private static PooledEntry? PopFree(TimerCollection collection)
    {
        if (!collection.Delays.HasFree)
        {
            return null;
        }

        var me = collection.Scheduler;
        collection.Enter(me);
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

    private static string? LeaveScope(DelayScope scope, DelayOutcome outcome)
    {
        var reason = outcome is DelayOutcome.CancelledByScope or DelayOutcome.Stopped ? scope.ReasonOf(outcome) : null;
        if (scope.Registration.Unregister())
        {
            scope.Registration = default;
        }

        scope.EndObservation();
        return reason;
    }
}
