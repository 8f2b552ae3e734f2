using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <summary>Holds the collections of one service and finds the calling thread's.</summary>
/// <remarks>
/// A thread that ends leaves a collection behind that may still hold timers. The driver goes on serving it, and the
/// next new thread takes it over. The registry looks for ended threads when the number of collections has doubled since
/// the last look. So registering a thread costs constant time on average. There are never more than twice as many
/// collections as there were live threads at that look, plus a few, whatever the garbage collector does.
/// </remarks>
internal sealed class CollectionRegistry
{
    private const int FirstLookForEndedThreads = 16;

    // s_lastUsed is the collection that this thread used last, of any service. s_all holds all of the thread's
    // collections, one for each service. A collection whose service has been disposed no longer refers to its registry.
    // What it still refers to (the clock, some idle entries and batches, the logger) is released when the thread joins
    // another service or ends.
    [ThreadStatic]
    private static TimerCollection? s_lastUsed;

    [ThreadStatic]
    private static List<TimerCollection>? s_all;

    // Guards
    //   _all         _gate (to replace the array); read without it
    //   all others   _gate
    private readonly ILogger _logger;
    private readonly Lock _gate = new();
    private readonly Stack<TimerCollection> _ownerless = new();
    private TimerCollection[] _all = [];
    private int _lookForEndedThreadsAt = FirstLookForEndedThreads;
    private ServicePhase _phase;

    /// <param name="clock">The service's clock.</param>
    /// <param name="dispatcher">The dispatcher that runs callbacks.</param>
    /// <param name="isShared">Whether all threads use one collection, which puts all timers into one order.</param>
    /// <param name="logger">The service's logger.</param>
    public CollectionRegistry(TickClock clock, FiringDispatcher dispatcher, bool isShared, ILogger logger)
    {
        Clock = clock;
        Dispatcher = dispatcher;
        IsShared = isShared;
        _logger = logger;
    }

    internal TickClock Clock { get; }

    internal FiringDispatcher Dispatcher { get; }

    internal bool IsShared { get; }

    /// <summary>What expires the collections. The driver sets it before the first timer.</summary>
    internal ICollectionDriver? Driver { get; set; }

    internal TimerCollection[] All => Volatile.Read(ref _all);

    /// <summary>The calling thread's collection.</summary>
    /// <exception cref="ObjectDisposedException">The service has been disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static TimerCollection Current(CollectionRegistry registry)
    {
        if (!TryGetCurrent(registry, out var collection))
        {
            ThrowDisposed();
        }

        return collection;
    }

    /// <summary>The calling thread's collection; false if the service has been disposed.</summary>
    /// <remarks>Static, because calling a method of the registry would read the registry's memory.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryGetCurrent(
        CollectionRegistry registry, [NotNullWhen(true)] out TimerCollection? collection)
    {
        var lastUsed = s_lastUsed;
        collection = lastUsed is not null && ReferenceEquals(lastUsed.Registry, registry)
            ? lastUsed
            : registry.FindOrJoin();
        return collection is not null;
    }

    /// <summary>
    /// Whether the calling thread used this collection last. It is false for the thread's other collections too.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsLastUsed(TimerCollection collection) => ReferenceEquals(s_lastUsed, collection);

    /// <summary>No later than the deadline of any pending timer.</summary>
    internal long EarliestTick()
    {
        var earliest = TimerWheel.Never;
        foreach (var collection in All)
        {
            earliest = Math.Min(earliest, collection.EarliestTick);
        }

        return earliest;
    }

    /// <summary>Moves every collection, present and future, into a later phase. May be called again.</summary>
    /// <returns>The collections that may hold entries which end with the phase.</returns>
    internal TimerCollection[] EnterPhase(ServicePhase phase)
    {
        TimerCollection[] all;
        lock (_gate)
        {
            _phase = phase > _phase ? phase : _phase;
            all = _all;
        }

        // All collections enter the phase before the walk through the first one, which may take long. From here on
        // nothing begins that would end with the phase, and after disposal nothing is taken out to be fired.
        foreach (var collection in all)
        {
            collection.EnterPhase(phase);
        }

        return all;
    }

    /// <summary>Ends the entries that end with a phase. The phase has been entered before.</summary>
    /// <returns>How many delays have ended.</returns>
    internal int EndPhase(TimerCollection[] collections, ServicePhase phase) =>
        collections.Sum(collection => new PhaseWalk(collection, phase, _logger).Run());

    /// <exception cref="ObjectDisposedException">Always.</exception>
    [DoesNotReturn]
    internal static void ThrowDisposed() => throw new ObjectDisposedException("ScalableTimers.TimerService");

    [MethodImpl(MethodImplOptions.NoInlining)]
    private TimerCollection? FindOrJoin()
    {
        var mine = s_all ??= [];
        var found = Find(mine);
        if (found is null)
        {
            mine.RemoveAll(static collection => collection.Registry is null);
            found = Join();
            if (found is null)
            {
                return null;
            }

            mine.Add(found);
        }

        s_lastUsed = found;
        return found;
    }

    // A thread that works for several services runs this each time it changes from one to another, so it allocates
    // nothing.
    private TimerCollection? Find(List<TimerCollection> collections)
    {
        foreach (var collection in collections)
        {
            if (ReferenceEquals(collection.Registry, this))
            {
                return collection;
            }
        }

        return null;
    }

    private TimerCollection? Join()
    {
        // The clock is read before the gate is entered, because it may be user code.
        var nowTick = Clock.NowTick();
        lock (_gate)
        {
            if (_phase == ServicePhase.Disposed)
            {
                s_lastUsed = null;
                return null;
            }

            // If the driver's thread cannot be started, the call that needs the collection throws, and the next one
            // tries again.
            Driver?.Start();
            if (IsShared && _all.Length > 0)
            {
                return _all[0];
            }

            if (_ownerless.Count == 0 && _all.Length >= _lookForEndedThreadsAt)
            {
                FindEndedThreads();
            }

            if (_ownerless.TryPop(out var left))
            {
                left.Adopt(Thread.CurrentThread);
                return left;
            }

            var created = new TimerCollection(this, Thread.CurrentThread, _phase, nowTick);
            Volatile.Write(ref _all, [.. _all, created]);
            return created;
        }
    }

    private void FindEndedThreads()
    {
        foreach (var collection in _all)
        {
            if (!collection.Owner.IsAlive)
            {
                _ownerless.Push(collection);
            }
        }

        var alive = _all.Length - _ownerless.Count;
        _lookForEndedThreadsAt = Math.Max(FirstLookForEndedThreads, 2 * alive);
    }
}
