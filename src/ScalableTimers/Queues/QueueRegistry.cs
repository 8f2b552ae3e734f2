using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Queues;

/// <summary>Holds the queues of one service and finds the calling thread's.</summary>
/// <remarks>
/// When a thread ends, its queue may still hold timers. The driver keeps serving the queue, and the next new thread
/// takes it over. The registry looks for ended threads when the number of queues has doubled since the last look, or
/// when a thread joins a minute or more after it. So a thread joins in constant time on average, and there are at most
/// twice as many queues as there were live threads at the last look, plus a few.
/// </remarks>
internal sealed class QueueRegistry
{
    private const int FirstLookForEndedThreads = 16;

    private static readonly TimerCallback s_finish = static entry => ((QueueEntry)entry!).FinishEnd();

    private static readonly TimeSpan s_lookPause = TimeSpan.FromMinutes(1);

    // s_lastUsed is the queue that this thread used last, of any service. s_all holds all of the thread's queues, one
    // per service, and keeps none of them alive.
    [ThreadStatic]
    private static TimerQueue? s_lastUsed;

    [ThreadStatic]
    private static List<WeakReference<TimerQueue>>? s_all;

    // Guards
    //   _all         _gate (to replace the array); read without it
    //   _phase       _gate; read without it where a race with the end decides nothing
    //   all others   _gate
    private readonly Lock _gate = new();
    private readonly Stack<TimerQueue> _ownerless = new();
    private TimerQueue[] _all = [];
    private int _lookForEndedThreadsAt = FirstLookForEndedThreads;
    private long _lookAgainTick;
    private ServicePhase _phase;

    public QueueRegistry(TickClock clock, FiringDispatcher dispatcher, bool isOrdered)
    {
        Clock = clock;
        Dispatcher = dispatcher;
        IsOrdered = isOrdered;
    }

    internal TickClock Clock { get; }

    internal FiringDispatcher Dispatcher { get; }

    /// <summary>Whether all threads use one queue, which puts all timers into one order.</summary>
    internal bool IsOrdered { get; }

    /// <summary>What expires the queues. Set before the first timer.</summary>
    internal IQueueDriver? Driver { get; set; }

    internal TimerQueue[] All => Volatile.Read(ref _all);

    /// <summary>The phase that the service has entered.</summary>
    internal ServicePhase Phase => _phase;

    /// <summary>The calling thread's queue. Also in a disposed service, for what outlives it.</summary>
    /// <remarks>Static, because an instance method would read the registry's memory.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static TimerQueue Current(QueueRegistry registry)
    {
        var lastUsed = s_lastUsed;
        return lastUsed is not null && ReferenceEquals(lastUsed.Registry, registry) ? lastUsed : registry.FindOrJoin();
    }

    /// <summary>Whether the calling thread used this queue last. Also false for the thread's other queues.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsLastUsed(TimerQueue queue) => ReferenceEquals(s_lastUsed, queue);

    /// <summary>A tick no later than the deadline of any pending timer.</summary>
    internal long EarliestTick()
    {
        var earliest = TimerWheel.Never;
        foreach (var queue in All)
        {
            earliest = Math.Min(earliest, queue.EarliestTick);
        }

        return earliest;
    }

    /// <summary>Enters a later phase and ends what ends with it. May be called again.</summary>
    /// <exception cref="OperationCanceledException">The token was cancelled. The call can be repeated.</exception>
    internal void Enter(ServicePhase phase, CancellationToken cancellationToken = default)
    {
        TimerQueue[] all;
        lock (_gate)
        {
            _phase = phase > _phase ? phase : _phase;
            all = _all;
        }

        ExceptionDispatchInfo? failure = null;
        foreach (var queue in all)
        {
            cancellationToken.ThrowIfCancellationRequested();
            for (var ended = queue.Sweep(); ended is not null;)
            {
                var entry = ended;
                ended = Unsafe.As<QueueEntry?>(entry.Older);
                entry.Older = null;
                Finish(entry, ref failure);
            }
        }

        failure?.Throw();
    }

    /// <exception cref="ObjectDisposedException">Always.</exception>
    [DoesNotReturn]
    internal static void ThrowDisposed() => throw new ObjectDisposedException("ScalableTimers.TimerService");

    // In virtual time continuations run here. They may throw anything, and the delays after them must still end.
    private void Finish(QueueEntry entry, ref ExceptionDispatchInfo? failure)
    {
        try
        {
            Dispatcher.Fire(new FiringItem(s_finish, entry));
        }
#pragma warning disable CA1031
        catch (Exception exception)
#pragma warning restore CA1031
        {
            failure ??= ExceptionDispatchInfo.Capture(exception);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private TimerQueue FindOrJoin()
    {
        var mine = s_all ??= [];
        var found = Find(mine);
        if (found is null)
        {
            mine.RemoveAll(static known =>
                !known.TryGetTarget(out var queue) || queue.Phase == ServicePhase.Disposed);
            found = Join();
            mine.Add(new WeakReference<TimerQueue>(found));
        }

        s_lastUsed = found;
        return found;
    }

    // A thread that uses several services runs this each time it switches between them, so it allocates nothing.
    private TimerQueue? Find(List<WeakReference<TimerQueue>> known)
    {
        foreach (var reference in known)
        {
            if (reference.TryGetTarget(out var queue) && ReferenceEquals(queue.Registry, this))
            {
                return queue;
            }
        }

        return null;
    }

    private TimerQueue Join()
    {
        // Read the clock before entering the gate, because it may be user code.
        var nowTick = Clock.NowTick();
        lock (_gate)
        {
            if (_phase == ServicePhase.Disposed
                && Array.Find(_all, static queue => queue.Owner == Thread.CurrentThread) is { } mine)
            {
                // The thread has dropped it from its list.
                return mine;
            }

            // If the driver's thread cannot be started, the call that needs the queue throws, and the next call tries
            // again.
            Driver?.Start();
            if (IsOrdered && _all.Length > 0)
            {
                return _all[0];
            }

            if ((_ownerless.Count == 0 && _all.Length >= _lookForEndedThreadsAt)
                || (_all.Length >= FirstLookForEndedThreads && nowTick >= _lookAgainTick))
            {
                FindEndedThreads(nowTick);
            }

            if (_ownerless.TryPop(out var left))
            {
                left.Adopt(Thread.CurrentThread);
                return left;
            }

            var queue = new TimerQueue(this, Thread.CurrentThread, nowTick);
            Volatile.Write(ref _all, [.. _all, queue]);
            return queue;
        }
    }

    private void FindEndedThreads(long nowTick)
    {
        // Look at those found earlier again: their pending timers may have fired since, so that they can be trimmed.
        _ownerless.Clear();
        foreach (var queue in _all)
        {
            if (!queue.Owner.IsAlive)
            {
                queue.TrimOfEndedOwner();
                _ownerless.Push(queue);
            }
        }

        var alive = _all.Length - _ownerless.Count;
        _lookForEndedThreadsAt = Math.Max(FirstLookForEndedThreads, 2 * alive);
        _lookAgainTick = nowTick + Clock.TicksOf(s_lookPause);
    }
}
