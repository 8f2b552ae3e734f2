using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;
using ScalableTimers.Driving;

namespace ScalableTimers.Collections;

/// <summary>A pooled awaitable that completes at its deadline, or earlier by one of two tokens or when the service stops.</summary>
/// <remarks>
/// One life: rented, told its tokens, begun, completed once, read once, returned. Who completes it is decided by a compare-exchange of its
/// <see cref="DelayLife"/>. It goes back to the pool only when both registrations are gone and none of their callbacks is running,
/// so a late cancellation cannot reach the next user.
/// </remarks>
internal class DelayEntry(TimerCollection collection) : CollectionEntry(collection), IValueTaskSource, IValueTaskSource<bool>
{
    private static readonly Action<object?> s_cancelByToken = static entry => Cancel(entry, DelayOutcome.CancelledByToken);
    private static readonly Action<object?> s_cancelByScope = static entry => Cancel(entry, DelayOutcome.CancelledByScope);

    // Guards
    //   _life                   see there
    //   _core, _token, _scope   the thread that completes it, then the one that reads it; handed on by completion itself
    private ManualResetValueTaskSourceCore<bool> _core;
    private CancellationTokenRegistration _token;
    private CancellationTokenRegistration _scope;
    private DelayLife _life;

    internal ValueTask AsValueTask() => new(this, _core.Version);

    internal ValueTask<bool> AsValueTaskOfBool() => new(this, _core.Version);

    /// <summary>That of its present life.</summary>
    internal short Version => _core.Version;

    internal virtual bool IsObserved => false;

    /// <summary>First step: what may cancel it. A cancellation that comes before <see cref="TimerCollection.Start"/> is found there.</summary>
    internal void Prepare(CancellationToken token, CancellationToken scope)
    {
        if (token.CanBeCanceled)
        {
            _token = token.UnsafeRegister(s_cancelByToken, this);
        }

        if (scope.CanBeCanceled)
        {
            _scope = scope.UnsafeRegister(s_cancelByScope, this);
        }
    }

    /// <inheritdoc cref="DelayLife.IsLinked"/>
    internal bool MayBeLinked => _life.IsLinked;

    /// <inheritdoc cref="DelayLife.TryBeginLinked"/>
    internal bool TryBeginLinked(long word, DelayOptions options, long deadlineTick) => _life.TryBeginLinked(word, options, deadlineTick);

    /// <inheritdoc cref="DelayLife.Read"/>
    internal long ReadLife() => _life.Read();

    /// <inheritdoc cref="DelayLife.BeginLocked"/>
    internal void BeginLocked(DelayOptions options, long deadlineTick) => _life.BeginLocked(options, deadlineTick);

    /// <inheritdoc cref="DelayLife.SkipLocked"/>
    internal void SkipLocked(DelayOptions options) => _life.SkipLocked(options);

    /// <inheritdoc cref="DelayLife.TryEnd"/>
    internal bool TryEnd(bool mayBeLight, out bool isLight) => _life.TryEnd(mayBeLight, out isLight);

    /// <inheritdoc cref="DelayLife.TryStopLocked"/>
    internal bool TryStopLocked(bool everything) => _life.TryStopLocked(everything);

    /// <inheritdoc cref="DelayLife.TryUnlinkLocked"/>
    internal bool TryUnlinkLocked() => _life.TryUnlinkLocked();

    /// <summary>Completes one that the calling registration has ended.</summary>
    internal void CompleteCancelled(DelayOutcome outcome)
    {
        // That registration is spent: its callback touches the entry no more.
        var (token, scope) = (_token.Token, _scope.Token);
        if (outcome == DelayOutcome.CancelledByToken)
        {
            _token = default;
        }
        else
        {
            _scope = default;
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

        if (_scope.Unregister())
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
        else if ((_life.Options & DelayOptions.ReportCancellation) != 0)
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
        if (_life.TryExpireLocked(DeadlineTick, out var laterTick))
        {
            return true;
        }

        if (laterTick != 0)
        {
            Collection.MoveOnLocked(this, laterTick);
        }

        return false;
    }

    internal override void PostponeLocked(long deadlineTick, long late)
    {
        // Where it lies it is moved on. One that has not begun yet but has been noted must not begin with that deadline.
        if (_life.PostponeLocked(deadlineTick, deadlineTick + Collection.Clock.DeadlineTick(late)))
        {
            Collection.UnplaceLocked(this);
        }
    }

    internal override void Fire() => Complete(DelayOutcome.Elapsed);

    /// <summary>Makes it ready for its next life; called when it can no longer be reached.</summary>
    internal void Reset() => _core.Reset();

    void IValueTaskSource.GetResult(short token) => Read(token);

    bool IValueTaskSource<bool>.GetResult(short token) => Read(token);

    public ValueTaskSourceStatus GetStatus(short token) =>
        HasEndedLightly(token) ? ValueTaskSourceStatus.Succeeded : _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        // A wrong token throws here. What follows must come before the continuation is there to be run: after that the entry
        // may be in its next life.
        _ = _core.GetStatus(token);
        if (!_life.TryAwait())
        {
            // It was cancelled between being asked and being awaited: as with every awaitable, that goes on elsewhere.
            _core.SetResult(false);
        }

        _core.OnCompleted(continuation, state, token, flags);
    }

    private protected virtual void OnCompleting()
    {
    }

    private bool HasEndedLightly(short token) => _life.HasEndedLightly && token == _core.Version;

    private bool Read(short token)
    {
        if (HasEndedLightly(token))
        {
            // Its one registration is spent, and the callback touches the entry no more, or only to unlink it if it is not pending.
            _token = default;
            Collection.Return(this);
            return false;
        }

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
        var delay = Unsafe.As<DelayEntry>(entry!);
        delay.Collection.CancelDelay(delay, outcome);
    }
}
