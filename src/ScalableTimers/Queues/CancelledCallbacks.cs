using System.Runtime.CompilerServices;

namespace ScalableTimers.Queues;

/// <summary>
/// Entries of one queue's callbacks between two lives: cancelled ones, most of them still linked, and free ones.
/// </summary>
/// <remarks>
/// A cancelled callback stays linked, without effect, until its entry is needed again. At best, the next timer is due
/// no earlier, and nothing is linked or unlinked at all.
/// </remarks>
internal sealed class CancelledCallbacks(TimerQueue queue)
{
    // Guards
    //   _idle               see EntryStore
    //   _cancelledByOwner   the owner writes it, others may read it
    private EntryStore _idle;
    private long _cancelledByOwner;

    /// <summary>How many the owner has cancelled. All others are counted under the queue's lock.</summary>
    internal long CancelledByOwner => Volatile.Read(ref _cancelledByOwner);

    internal void Open() => _idle.Open();

    /// <summary>Finds an entry for a new callback. If it is still linked, the caller moves it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal QueueEntry? TakeLocked() => _idle.TryTake() ?? TakeOtherLocked();

    /// <summary>Keeps the entry of a callback that the owner, which calls this, has cancelled.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void KeepOwn(QueueEntry entry)
    {
        Volatile.Write(ref _cancelledByOwner, _cancelledByOwner + 1);
        if (!_idle.TryKeep(entry))
        {
            MakeRoom(entry);
        }
    }

    /// <summary>Keeps an entry that has expired.</summary>
    internal void PushLocked(QueueEntry entry) => _idle.PushLocked(entry);

    /// <summary>Unlinks what other threads have cancelled.</summary>
    internal void UnlinkRemoteLocked()
    {
        while (TakeRemoteLocked() is { } entry)
        {
            UnlinkLocked(entry);
        }
    }

    /// <summary>Unlinks what the owner has cancelled. Called by the owner, or when it has ended.</summary>
    internal void UnlinkOwnLocked()
    {
        while (_idle.TryTake() is { } entry)
        {
            UnlinkLocked(entry);
        }
    }

    /// <summary>Drops all entries, none of which is linked, and keeps no others.</summary>
    internal void CloseLocked() => _idle.Close();

    /// <summary>Unlinks the entry of a cancelled callback, and whatever other threads have cancelled.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void Unlink(QueueEntry entry)
    {
        var threadId = Environment.CurrentManagedThreadId;
        queue.Enter(threadId);
        queue.CountCancelledLocked();
        UnlinkRemoteLocked();
        UnlinkLocked(entry);
        var hasRunOut = queue.HasRunOutLocked();
        queue.Exit(threadId);
        if (hasRunOut)
        {
            queue.RunOut();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private QueueEntry? TakeOtherLocked() => _idle.TryPopLocked() ?? TakeRemoteLocked();

    private QueueEntry? TakeRemoteLocked()
    {
        var cancelled = queue.RemoteCancels.TakeLocked();
        if (cancelled is not null)
        {
            queue.CountCancelledLocked();
        }

        return cancelled;
    }

    // Called by the owner.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void MakeRoom(QueueEntry entry)
    {
        var threadId = Environment.CurrentManagedThreadId;
        queue.Enter(threadId);
        UnlinkOwnLocked();
        if (!_idle.TryKeep(entry))
        {
            // Once the service has been disposed, nothing is kept.
            queue.RemoveLocked(entry);
        }

        queue.Exit(threadId);
    }

    private void UnlinkLocked(QueueEntry entry)
    {
        queue.RemoveLocked(entry);
        _idle.PushLocked(entry);
    }
}
