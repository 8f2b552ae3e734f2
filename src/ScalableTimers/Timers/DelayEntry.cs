using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;
using ScalableTimers.Collections;
using ScalableTimers.Firing;

namespace ScalableTimers.Timers;

/// <summary>A pooled awaitable that completes at its deadline, or earlier by one of two tokens or when the service stops.</summary>
/// <remarks>
/// One life: rented, told its tokens, begun, completed once, read once, returned. Who completes it is decided by a compare-exchange of its
/// <see cref="EntryState"/>. It goes back to the pool only when its registrations are gone and none of their callbacks is running,
/// so a late cancellation cannot reach the next user.
/// </remarks>
internal sealed class DelayEntry(TimerCollection collection) : PooledEntry(collection), IFiringTarget, IValueTaskSource, IValueTaskSource<bool>
{
    private static readonly Action<object?> s_cancelByToken = static entry => Cancel(entry, DelayOutcome.CancelledByToken);
    private static readonly Action<object?> s_cancelByScope = static entry => Cancel(entry, DelayOutcome.CancelledByScope);

    // Guards
    //   State                   see there
    //   _core, _token, _scope   the thread that completes it, then the one that reads it; handed on by completion itself
    private ManualResetValueTaskSourceCore<bool> _core;
    private CancellationTokenRegistration _token;
    private DelayScope? _scope;

    internal ValueTask AsValueTask() => new(this, _core.Version);

    internal ValueTask<bool> AsValueTaskOfBool() => new(this, _core.Version);

    /// <summary>That of its present life.</summary>
    internal short Version => _core.Version;

    /// <summary>First step: what may cancel it. A cancellation that comes before <see cref="TimerCollection.Start"/> is found there.</summary>
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

    /// <summary>Second step, under the collection's lock: it lives from now on.</summary>
    internal void BeginLocked(DelayOptions options) => State.BeginLocked(options);

    /// <summary>Second step, under the collection's lock, when the service has been stopped: the caller is to complete it.</summary>
    internal void SkipLocked(DelayOptions options) => State.SkipLocked(options);

    /// <summary>Lets go of a delay that could not be started. Called by the thread that rented it.</summary>
    internal void Abandon()
    {
        _token.Dispose();
        _scope?.Registration.Dispose();
        _scope?.EndObservation();
        if (EntryState.IsIdle(State.Read()))
        {
            _token = default;
            Collection.Return(this, hasElapsed: false);
        }
    }

    /// <summary>Ends the present life, unless it has ended or not begun. Whoever ends it completes it.</summary>
    /// <param name="ended">The word that says so until the result has been read.</param>
    internal bool TryEnd(out long ended)
    {
        var life = State.Read();
        ended = EntryState.EndOf(life, hasResult: true);
        return EntryState.IsLive(life) && State.TryEnd(life, hasResult: true);
    }

    /// <summary>Whether it has ended with that word and its result has not been read.</summary>
    internal bool IsUnread(long ended) => State.Read() == ended;

    /// <summary>Completes one that the calling registration has ended.</summary>
    internal void CompleteCancelled(DelayOutcome outcome)
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

    /// <summary>Completes one that no token has ended. The caller has ended it and holds no lock.</summary>
    internal void Complete(DelayOutcome outcome, bool continueOnPool = false) => Complete(outcome, default, default, continueOnPool);

    /// <summary>Completes it. The caller has ended it, or never begun it, and holds no lock.</summary>
    /// <remarks>A token that is cancelled while it is being registered leaves no registration to ask for it, so both are passed.</remarks>
    internal void Complete(DelayOutcome outcome, CancellationToken token, CancellationToken scope, bool continueOnPool = false)
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
        var reportsCancellation = (State.Options & DelayOptions.ReportCancellation) != 0;
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
            var message = outcome == DelayOutcome.Stopped ? "The timer service has been stopped." : "The delay was cancelled.";
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
        var survives = phase != ServicePhase.Disposed && (State.Options & DelayOptions.SurvivesStop) != 0;
        return !survives && TryEnd(out _) ? ServiceEnd.Cancelled : ServiceEnd.None;
    }

    // In virtual time the test that stops the service sees what follows from it at once.
    internal override void FinishEnd() => Complete(DelayOutcome.Stopped, continueOnPool: !Collection.IsShared);

    void IFiringTarget.Fire() => Complete(DelayOutcome.Elapsed);

    void IValueTaskSource.GetResult(short token) => Read(token);

    bool IValueTaskSource<bool>.GetResult(short token) => Read(token);

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    private bool Read(short token)
    {
        // A wrong token or a read before the end throws here, and leaves the entry to its rightful reader.
        if (_core.GetStatus(token) == ValueTaskSourceStatus.Pending)
        {
            throw new InvalidOperationException("The delay has not ended. A ValueTask may be awaited once, and read only when it is complete.");
        }

        var hasElapsed = false;
        try
        {
            hasElapsed = _core.GetResult(token);
            return hasElapsed;
        }
        finally
        {
            // Dispose waits for a callback that lost the race and is on its way out; from within that callback it does not.
            _token.Dispose();
            _token = default;
            if (_scope is not null)
            {
                _scope.Registration.Dispose();
                _scope.Registration = default;
            }

            _core.Reset();
            State.Release();
            Collection.Return(this, hasElapsed);
        }
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

    private static void Cancel(object? entry, DelayOutcome outcome)
    {
        var delay = Unsafe.As<DelayEntry>(entry!);
        delay.Collection.CancelDelay(delay, outcome);
    }
}
