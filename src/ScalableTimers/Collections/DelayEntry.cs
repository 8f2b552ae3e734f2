using System.Threading.Tasks.Sources;
using ScalableTimers.Driving;

namespace ScalableTimers.Collections;

/// <summary>A pooled awaitable that completes at its deadline, or earlier by one of two tokens or when the service stops.</summary>
/// <remarks>
/// One life: rented, told its tokens, linked, completed once, read once, returned. Who completes it is decided by who unlinks it under
/// the collection's lock. It goes back to the pool only when both registrations are gone and none of their callbacks is running,
/// so a late cancellation cannot reach the next user.
/// </remarks>
internal class DelayEntry(TimerCollection collection) : CollectionEntry(collection), IValueTaskSource, IValueTaskSource<bool>
{
    private static readonly Action<object?> s_cancelByToken = static entry => Cancel(entry, DelayOutcome.CancelledByToken);
    private static readonly Action<object?> s_cancelByScope = static entry => Cancel(entry, DelayOutcome.CancelledByScope);

    // Guards
    //   _core, _token, _scope   the thread that completes it, then the one that reads it; handed on by completion itself
    //   _isStarted, _outcome    Collection's lock
    private ManualResetValueTaskSourceCore<bool> _core;
    private CancellationTokenRegistration _token;
    private CancellationTokenRegistration _scope;
    private DelayOptions _options;
    private DelayOutcome _outcome;
    private bool _isStarted;

    internal ValueTask AsValueTask() => new(this, _core.Version);

    internal ValueTask<bool> AsValueTaskOfBool() => new(this, _core.Version);

    internal virtual bool IsObserved => false;

    internal bool SurvivesStop => (_options & DelayOptions.SurvivesStop) != 0;

    /// <summary>First step: what may cancel it. A cancellation that comes before <see cref="TimerCollection.Start"/> is remembered.</summary>
    internal void Prepare(DelayOptions options, CancellationToken token, CancellationToken scope)
    {
        _options = options;
        if (token.CanBeCanceled)
        {
            _token = token.UnsafeRegister(s_cancelByToken, this);
        }

        if (scope.CanBeCanceled)
        {
            _scope = scope.UnsafeRegister(s_cancelByScope, this);
        }
    }

    /// <summary>Second step, under the collection's lock.</summary>
    /// <returns>How it has ended already; <see cref="DelayOutcome.None"/> when it may be linked.</returns>
    internal DelayOutcome StartLocked()
    {
        _isStarted = true;
        return _outcome;
    }

    /// <summary>Under the collection's lock: remembers a cancellation that comes before the start.</summary>
    /// <returns>Whether the caller is to unlink and complete it.</returns>
    internal bool TryCancelLocked(DelayOutcome outcome)
    {
        if (!_isStarted && _outcome == DelayOutcome.None)
        {
            _outcome = outcome;
        }

        return IsLinked;
    }

    /// <summary>Completes a started one. The caller has unlinked it and holds no lock.</summary>
    internal void Complete(DelayOutcome outcome, bool continueOnPool = false) =>
        Complete(outcome, _token.Token, _scope.Token, continueOnPool);

    /// <summary>Completes it. The caller has unlinked it, or never linked it, and holds no lock.</summary>
    /// <remarks>A token that is cancelled while it is being registered leaves no registration to ask for it, so both are passed.</remarks>
    internal void Complete(DelayOutcome outcome, CancellationToken token, CancellationToken scope, bool continueOnPool = false)
    {
        var cancelledBy = outcome switch
        {
            DelayOutcome.CancelledByToken => token,
            DelayOutcome.CancelledByScope => scope,
            _ => default,
        };

        // A delay that nobody reads must not stay registered with a token that lives on. The registration that has cancelled it
        // is spent: its callback came through the lock and touches the entry no more.
        if (outcome == DelayOutcome.CancelledByToken || _token.Unregister())
        {
            _token = default;
        }

        if (outcome == DelayOutcome.CancelledByScope || _scope.Unregister())
        {
            _scope = default;
        }

        // Before completion: after it the entry may have its next life already.
        OnCompleting();
        _core.RunContinuationsAsynchronously = continueOnPool;
        if (outcome == DelayOutcome.Elapsed)
        {
            _core.SetResult(true);
        }
        else if ((_options & DelayOptions.ReportCancellation) != 0)
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

    internal override bool TryExpireLocked(out FiringItem item)
    {
        item = new FiringItem(this);
        return true;
    }

    internal override void Fire() => Complete(DelayOutcome.Elapsed);

    /// <summary>Makes it ready for its next life; called when it can no longer be reached.</summary>
    internal void Reset()
    {
        _outcome = DelayOutcome.None;
        _isStarted = false;
        _core.Reset();
    }

    void IValueTaskSource.GetResult(short token) => Read(token);

    bool IValueTaskSource<bool>.GetResult(short token) => Read(token);

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    private protected virtual void OnCompleting()
    {
    }

    private bool Read(short token)
    {
        // A wrong token or a read before the end throws here, and leaves the entry to its rightful reader.
        if (_core.GetStatus(token) == ValueTaskSourceStatus.Pending)
        {
            throw new InvalidOperationException("The delay has not ended. A ValueTask may be awaited once, and read only when it is complete.");
        }

        try
        {
            return _core.GetResult(token);
        }
        finally
        {
            // Dispose waits for a callback that lost the race and is on its way out; from within that callback it does not.
            _token.Dispose();
            _scope.Dispose();
            _token = default;
            _scope = default;
            Collection.Return(this);
        }
    }

    private static void Cancel(object? entry, DelayOutcome outcome)
    {
        var delay = (DelayEntry)entry!;
        delay.Collection.CancelDelay(delay, outcome);
    }
}
