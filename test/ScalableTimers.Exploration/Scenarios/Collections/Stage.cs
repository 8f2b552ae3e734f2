using System.Runtime.CompilerServices;
using ScalableTimers.Collections;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Wheel;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// A service with a clock that the scenario advances, and the conditions that must hold for every service at the end.
/// </summary>
internal sealed class Stage
{
    /// <summary>More entries than a walk or the driver handles before it releases the lock.</summary>
    internal const int MoreThanAStep = 130;

    private readonly Interleaving _run;

    /// <param name="run">The interleaving.</param>
    /// <param name="firesInOrder">Whether all threads share one collection.</param>
    public Stage(Interleaving run, bool firesInOrder = false)
    {
        _run = run;
        Clock = new ExplorerClock(run);
        Service = new TimerService(
            new ScalableTimerOptions
            {
                Firing = firesInOrder ? FiringMode.InOrder : FiringMode.ThreadPool,
                Resolution = Ticks(1),
            },
            Clock);
    }

    internal ExplorerClock Clock { get; }

    internal TimerService Service { get; }

    /// <summary>The number of linked entries, including empty ones.</summary>
    internal int Linked => Collections.Sum(static collection => Wheel(collection).Count);

    internal TimerCollection[] Collections => Registry(Service).All;

    // The entries that owners keep may still be linked.
    private int Kept =>
        Collections.Sum(static collection => OwnCount(ref Callbacks(collection)) + OwnCount(ref Delays(collection)));

    internal static TimeSpan Ticks(int count) => TimeSpan.FromMilliseconds(10 * count);

    /// <summary>
    /// Advances the clock on the calling thread, and runs the items there that were queued to the pool.
    /// </summary>
    internal void Pass(int ticks)
    {
        Clock.Advance(Ticks(ticks));
        _run.Pool.Drain();
    }

    /// <summary>
    /// Links timers that are never due and that only the last phase ends. So a walk has entries to look at without a
    /// scheduling point.
    /// </summary>
    internal void AddBallast(int ticks = 1_000_000)
    {
        for (var i = 0; i < MoreThanAStep; i++)
        {
            Service.CreateTimer(
                static _ => throw new InvalidOperationException("It is not due for hours."),
                null,
                Ticks(ticks),
                Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>
    /// Lets one tick pass, in which the driver looks. From now on the driver wakes at the beginning of a slot, not only
    /// at a deadline that was published.
    /// </summary>
    internal void PassFirstTick()
    {
        Service.Schedule(static _ => { }, null, Ticks(1));
        Pass(1);
    }

    /// <summary>Makes the store of delays look full.</summary>
    internal void FillDelays() => FreeCount(ref Delays(Collections.Single())) = 1_000_000;

    /// <summary>Makes the next new thread look for ended ones.</summary>
    internal void LookForEndedThreads() => LookAt(Registry(Service)) = 1;

    /// <summary>
    /// Called when all threads have ended. No empty entry is linked except those that owners keep, and the counts add
    /// up.
    /// </summary>
    /// <returns>The figures.</returns>
    internal TimerServiceSnapshot RequireInOrder()
    {
        var seen = Service.GetSnapshot();
        Interleaving.Require(seen.Pending >= 0, $"{seen.Pending} timers are pending.");
        Interleaving.Require(
            Linked <= seen.Pending + Kept,
            $"{Linked} entries are linked, with {seen.Pending} timers pending and {Kept} entries kept.");
        var sum = seen.Pending + seen.Fired + seen.Skipped + seen.Cancelled + seen.Dropped + seen.HandedOver;
        Interleaving.Require(seen.Scheduled == sum, $"The figures do not add up: {seen}.");
        Interleaving.Require(seen.Failed == 0, $"{seen.Failed} callbacks have failed.");
        return seen;
    }

    /// <summary>
    /// Called when all threads have ended. Lets time pass, checks that nothing is pending, and disposes the service.
    /// </summary>
    internal void RequireOver(int ticks)
    {
        RequireInOrder();
        Pass(ticks);
        Interleaving.Require(RequireInOrder().Pending == 0, "Timers are pending after all have ended.");
        Service.Dispose();
        Interleaving.Require(
            RequireInOrder() is { Pending: 0, Dropped: 0, HandedOver: 0 },
            "Timers have ended with the service after all had ended.");
    }

    /// <summary>
    /// Called when the service has been disposed. Nothing is pending, and only the entries that owners keep are linked.
    /// </summary>
    internal void RequireDisposed()
    {
        _run.Pool.Drain();
        Service.Dispose();
        Interleaving.Require(RequireInOrder().Pending == 0, "Timers are pending after the service was disposed.");
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_collections")]
    private static extern ref CollectionRegistry Registry(TimerService service);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_lookForEndedThreadsAt")]
    private static extern ref int LookAt(CollectionRegistry registry);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_wheel")]
    private static extern ref TimerWheel Wheel(TimerCollection collection);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_callbacks")]
    private static extern ref EntryStore Callbacks(TimerCollection collection);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_delays")]
    private static extern ref EntryStore Delays(TimerCollection collection);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_ownCount")]
    private static extern ref int OwnCount(ref EntryStore store);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_freeCount")]
    private static extern ref int FreeCount(ref EntryStore store);
}
