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

    private static readonly TimeSpan s_lookPause = TimeSpan.FromMinutes(1);

    // s_lastUsed is the queue that this thread used last, of any service. s_all holds all of the thread's queues, one
    // per service, and keeps none of them alive. A queue whose service is disposed no longer refers to the registry.
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
    private TimerQueue? _closed;
    private int _lookForEndedThreadsAt = FirstLookForEndedThreads;
    private long _lookAgainTick;
    private ServicePhase _phase;

    public QueueRegistry(TickClock clock, FiringDispatcher dispatcher, bool isShared)
    {
        Clock = clock;
        Dispatcher = dispatcher;
        IsShared = isShared;
    }

    internal TickClock Clock { get; }

    internal FiringDispatcher Dispatcher { get; }

    /// <summary>Whether all threads use one queue, which puts all timers into one order.</summary>
    internal bool IsShared { get; }

    /// <summary>What expires the queues. Set before the first timer.</summary>
    internal IQueueDriver? Driver { get; set; }

    internal TimerQueue[] All => Volatile.Read(ref _all);

    /// <summary>The phase that the service has entered, and that all its queues enter.</summary>
    internal ServicePhase Phase => _phase;

    /// <summary>The calling thread's queue.</summary>
    /// <remarks>Static, because an instance method would read the registry's memory.</remarks>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static TimerQueue Current(QueueRegistry registry) => TryFind(registry) ?? ThrowDisposed();

    /// <summary>
    /// The calling thread's queue or, once the service has been disposed, one for entries that outlive it.
    /// </summary>
    internal static TimerQueue CurrentOrClosed(QueueRegistry registry) => TryFind(registry) ?? registry.Closed();

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

    /// <summary>Moves every queue, present and future, into a later phase. May be called again.</summary>
    /// <returns>The queues that may hold entries which end with the phase.</returns>
    internal TimerQueue[] EnterPhase(ServicePhase phase)
    {
        TimerQueue[] all;
        lock (_gate)
        {
            _phase = phase > _phase ? phase : _phase;
            all = _all;
        }

        // All queues enter the phase before the first one is walked, which may take long. From here on nothing begins
        // that would end with the phase, and after disposal nothing is taken out to fire.
        foreach (var queue in all)
        {
            queue.EnterPhase(phase);
        }

        return all;
    }

    /// <summary>Ends the entries that end with a phase, which the queues have already entered.</summary>
    /// <exception cref="OperationCanceledException">The token was cancelled. The call can be repeated.</exception>
    internal static void EndPhase(
        TimerQueue[] queues, ServicePhase phase, CancellationToken cancellationToken = default)
    {
        ExceptionDispatchInfo? failure = null;
        foreach (var queue in queues)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var walk = new EndingWalk(queue, phase);
            walk.Run();
            failure ??= walk.Failure;
        }

        failure?.Throw();
    }

    /// <exception cref="ObjectDisposedException">Always.</exception>
    [DoesNotReturn]
    internal static TimerQueue ThrowDisposed() => throw new ObjectDisposedException("ScalableTimers.TimerService");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static TimerQueue? TryFind(QueueRegistry registry)
    {
        var lastUsed = s_lastUsed;
        return lastUsed is not null && ReferenceEquals(lastUsed.Registry, registry) ? lastUsed : registry.FindOrJoin();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private TimerQueue? FindOrJoin()
    {
        var mine = s_all ??= [];
        var found = Find(mine);
        if (found is null)
        {
            mine.RemoveAll(static known => !known.TryGetTarget(out var queue) || queue.Registry is null);
            found = Join();
            if (found is not null)
            {
                mine.Add(new WeakReference<TimerQueue>(found));
            }
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

    private TimerQueue? Join()
    {
        // Read the clock before entering the gate, because it may be user code.
        var nowTick = Clock.NowTick();
        lock (_gate)
        {
            if (_phase == ServicePhase.Disposed)
            {
                return null;
            }

            // If the driver's thread cannot be started, the call that needs the queue throws, and the next call tries
            // again.
            Driver?.Start();
            if (IsShared && _all.Length > 0)
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

            return Add(new TimerQueue(this, Thread.CurrentThread, _phase, nowTick));
        }
    }

    private TimerQueue Closed()
    {
        lock (_gate)
        {
            if (_closed is null)
            {
                // It joins the other queues, so that its timers are counted too.
                _closed = Add(new TimerQueue(this, Thread.CurrentThread, ServicePhase.Disposed, startTick: 0));
                _closed.EnterPhase(ServicePhase.Disposed);
                _closed.Close();
            }

            return _closed;
        }
    }

    private TimerQueue Add(TimerQueue queue)
    {
        Volatile.Write(ref _all, [.. _all, queue]);
        return queue;
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
        _lookAgainTick = nowTick + Clock.DeadlineTick(Clock.ToTimestampDuration(s_lookPause));
    }
}
