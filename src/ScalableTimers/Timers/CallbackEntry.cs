using System.Runtime.CompilerServices;
using ScalableTimers.Firing;
using ScalableTimers.Queues;

namespace ScalableTimers.Timers;

/// <summary>A scheduled callback. A holder of the entry also holds the state word of the life it refers to.</summary>
internal sealed class CallbackEntry(TimerQueue queue) : QueueEntry(queue)
{
    /// <summary>The option of a life that outlives its service.</summary>
    internal const int OutlivesService = 1;

    // Guards
    //   _word               see EntryState
    //   _callback, _state   the thread that begins a life, under the queue's lock; then the thread that ended it
    private EntryState _word;
    private TimerCallback? _callback;
    private object? _state;

    /// <summary>
    /// Schedules a callback in the calling thread's queue. The due time is infinite or not negative.
    /// </summary>
    /// <exception cref="ObjectDisposedException">
    /// The service has been disposed, and the callback does not outlive it.
    /// </exception>
    /// <returns>The entry and the word of the life, with which a holder refers to it.</returns>
    internal static (CallbackEntry Entry, long Life) Schedule(
        TimerQueue queue, TimerCallback callback, object? state, TimeSpan dueTime, int options = 0)
    {
        var deadlineTick = queue.Clock.DeadlineTick(dueTime);
        var threadId = queue.SchedulerThreadId;
        CallbackEntry? created = null;
        while (true)
        {
            queue.Enter(threadId);
            var isRefused = queue.Phase == ServicePhase.Disposed && options != OutlivesService;
            var idle = isRefused ? null : created ?? queue.Callbacks.TakeLocked();
            if (idle is not null)
            {
                var entry = Unsafe.As<CallbackEntry>(idle);
                var life = entry.BeginLocked(callback, state, options);
                var wakes = queue.LinkLocked(entry, deadlineTick);
                queue.Exit(threadId);
                if (wakes)
                {
                    queue.WakeDriver(deadlineTick);
                }

                return (entry, life);
            }

            // Allocate outside the lock: a failed allocation would leave it held.
            queue.Exit(threadId);
            if (isRefused)
            {
                QueueRegistry.ThrowDisposed();
            }

            created = new CallbackEntry(queue);
        }
    }

    /// <summary>Gives the life a new due time, counted from now, unless the life has already ended.</summary>
    internal bool TryReschedule(long life, TimeSpan dueTime)
    {
        var deadlineTick = Queue.Clock.DeadlineTick(dueTime);
        var threadId = Environment.CurrentManagedThreadId;
        Queue.Enter(threadId);
        var isLive = _word.Read() == life && (Queue.Phase != ServicePhase.Disposed || _word.Options == OutlivesService);
        var wakes = isLive && Queue.MoveLocked(this, deadlineTick);
        Queue.Exit(threadId);
        if (wakes)
        {
            Queue.WakeDriver(deadlineTick);
        }

        return isLive;
    }

    /// <summary>Cancels the life, unless it has already ended.</summary>
    internal bool TryCancel(long life)
    {
        // The compare-exchange comes first: reading the entry before it would fetch its cache line from another
        // processor twice.
        if (!TryEnd(life))
        {
            return false;
        }

        Queue.KeepCancelled(this);
        return true;
    }

    internal override bool TryExpireLocked(long nowTick, out FiringItem item)
    {
        // Read callback and state before the life ends: afterwards they are cleared. No life begins while the lock is
        // held. If this life is cancelled in the meantime, the values read here are not used.
        item = new FiringItem(_callback!, _state);
        if (!TryEndLocked())
        {
            return false;
        }

        Queue.Callbacks.PushLocked(this);
        return true;
    }

    internal override bool TryReadLocked(out PendingEntry pending)
    {
        // No life begins while the lock is held, so a callback that is read after the word is this life's. A thread
        // that ends the life clears it.
        var isLive = EntryState.IsLive(_word.Read());
        var callback = _callback;
        pending = new PendingEntry(PendingTimerKind.Callback, DeadlineTick, callback, _state);
        return isLive && callback is not null;
    }

    internal override ServiceEnd EndWithServiceLocked(ServicePhase phase)
    {
        var endsHere = phase == ServicePhase.Disposed && _word.Options != OutlivesService;
        return endsHere && TryEndLocked() ? ServiceEnd.Dropped : ServiceEnd.None;
    }

    // If the entry has been cancelled, the cancelling thread hands it to the queue.
    private bool TryEndLocked()
    {
        var life = _word.Read();
        return EntryState.IsLive(life) && TryEnd(life);
    }

    // Until the life begins no other thread can reach the entry.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long BeginLocked(TimerCallback callback, object? state, int options)
    {
        _callback = callback;
        _state = state;
        return _word.BeginLocked(options);
    }

    /// <summary>Ends the life and releases callback and state, unless the life has already ended.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryEnd(long life)
    {
        if (!_word.TryEnd(life, hasResult: false))
        {
            return false;
        }

        _callback = null;
        _state = null;
        return true;
    }
}
