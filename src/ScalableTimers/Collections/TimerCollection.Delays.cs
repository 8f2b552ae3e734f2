using System.Runtime.CompilerServices;
using ScalableTimers.Timers;

namespace ScalableTimers.Collections;

/// <content>
/// Delays. They begin as callbacks do. When one is cancelled its result has yet to be read; until then its entry is nobody's to
/// use again. So who cancels looks whether it has been read meanwhile, as it mostly has, and unlinks it if not.
/// </content>
internal sealed partial class TimerCollection
{
    /// <summary>Called by the owner, or by any thread if all share the collection: finds or makes a delay to be prepared and started.</summary>
    internal DelayEntry RentDelay()
    {
        // Where all share the collection nobody keeps any.
        return Unsafe.As<DelayEntry?>(_delays.TryTake() ?? PopFreeDelay()) ?? new DelayEntry(this);
    }

    /// <summary>Begins a prepared delay. It may complete before this returns.</summary>
    /// <param name="entry">The delay, not yet given to anybody.</param>
    /// <param name="options">Its kind.</param>
    /// <param name="deadlineTick">What <see cref="DeadlineTick"/> has returned.</param>
    /// <param name="token">What it was prepared with.</param>
    /// <param name="scope">What else it was prepared with.</param>
    internal void Start(DelayEntry entry, DelayOptions options, long deadlineTick, CancellationToken token, CancellationToken scope)
    {
        var me = Scheduler;
        _lock.Enter(me);
        if (_phase >= ((options & DelayOptions.SurvivesStop) != 0 ? ServicePhase.Disposed : ServicePhase.Stopping))
        {
            SkipAndExit(entry, options, me);
            entry.Complete(DelayOutcome.Stopped, token, scope);
            return;
        }

        entry.BeginLocked(options);
        _wheel.ScheduleOrMove(entry, deadlineTick);
        CountAndExit(deadlineTick, me);

        // A cancellation that found the delay not yet begun has left it alone. On another thread it looked under the lock, after it
        // had marked its token. Then the lock was entered here after it, and the mark is seen.
        if (token.IsCancellationRequested)
        {
            CancelAtStart(entry, DelayOutcome.CancelledByToken, token, scope);
        }
        else if (scope.IsCancellationRequested)
        {
            CancelAtStart(entry, DelayOutcome.CancelledByScope, token, scope);
        }
    }

    /// <summary>Called by the registrations of a delay.</summary>
    internal void CancelDelay(DelayEntry entry, DelayOutcome outcome)
    {
        if (!IsCalledByOwner)
        {
            if (TryEndAndUnlink(entry))
            {
                entry.CompleteCancelled(outcome);
            }
        }
        else if (entry.TryEnd(out var ended))
        {
            Volatile.Write(ref _cancelledHere, _cancelledHere + 1);
            try
            {
                entry.CompleteCancelled(outcome);
            }
            finally
            {
                // Mostly whoever awaited it has read it by now, and it is kept or lives again. Resuming an awaiter may also throw, as a
                // context that has been closed does.
                if (entry.IsUnread(ended))
                {
                    UnlinkUnread(entry);
                }
            }
        }
    }

    /// <summary>Takes back a delay whose reader has read it.</summary>
    /// <param name="entry">The delay.</param>
    /// <param name="hasElapsed">Whether its time has passed.</param>
    internal void Return(DelayEntry entry, bool hasElapsed)
    {
        if (IsCalledByOwner)
        {
            Keep(entry, ref _delays);
            return;
        }

        // When many elapse at once most are left to the garbage collector, and need not wait for one another and for the driver first.
        // They have been unlinked for good. Others may be linked still, and whether they are is seen under the lock only: a cascade unlinks for a moment.
        if (hasElapsed && _delays.IsFull)
        {
            return;
        }

        var me = Environment.CurrentManagedThreadId;
        _lock.Enter(me);
        UnlinkAndReleaseLocked(entry, ref _delays);
        Exit(me);
    }

    private PooledEntry? PopFreeDelay()
    {
        if (!_delays.HasFree)
        {
            return null;
        }

        var me = Scheduler;
        EnterOpen(me);
        var entry = _delays.TryPopLocked();
        _lock.Exit(me);
        return entry;
    }

    // Its registration is not spent: the callback may be on its way still.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void CancelAtStart(DelayEntry entry, DelayOutcome outcome, CancellationToken token, CancellationToken scope)
    {
        if (TryEndAndUnlink(entry))
        {
            entry.Complete(outcome, token, scope);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryEndAndUnlink(DelayEntry entry)
    {
        var me = Environment.CurrentManagedThreadId;
        _lock.Enter(me);
        var isOurs = entry.TryEnd(out _);
        if (isOurs)
        {
            _cancelled++;
            UnlinkEndedLocked(entry);
        }

        Exit(me);
        return isOurs;
    }

    // A delay that nobody reads must not stay linked. It is not living again: the owner begins lives here, and the owner is what calls this.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UnlinkUnread(DelayEntry entry)
    {
        _lock.Enter(_ownerId);
        UnlinkEndedLocked(entry);
        Exit(_ownerId);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void SkipAndExit(DelayEntry entry, DelayOptions options, int me)
    {
        entry.SkipLocked(options);
        UnlinkEndedLocked(entry);
        Exit(me);
    }
}
