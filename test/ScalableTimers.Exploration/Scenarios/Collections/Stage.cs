using System.Runtime.CompilerServices;
using ScalableTimers.Collections;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Wheel;

namespace ScalableTimers.Exploration.Scenarios.Collections;

/// <summary>
/// A service on a clock that the scenario advances, and what must be true of every service when all has ended.
/// </summary>
internal sealed class Stage
{
    /// <summary>More entries than a walk or the driver looks at before it lets go of the lock.</summary>
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

    /// <summary>How many entries are linked, in vain or not.</summary>
    internal int Linked => Collections.Sum(static collection => Wheel(collection).Count);

    internal TimerCollection[] Collections => Registry(Service).All;

    // What owners keep may still be linked.
    private int Kept =>
        Collections.Sum(static collection => OwnCount(ref Callbacks(collection)) + OwnCount(ref Delays(collection)));

    internal static TimeSpan Ticks(int count) => TimeSpan.FromMilliseconds(10 * count);

    /// <summary>Advances the clock on the calling thread, and runs there what has been queued to the pool.</summary>
    internal void Pass(int ticks)
    {
        Clock.Advance(Ticks(ticks));
        _run.Pool.Drain();
    }

    /// <summary>
    /// Links timers that no phase but the last ends and that are never due: something for a walk to look at without a
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
    /// One tick passes with a look of the driver. From now on it wakes at the beginning of a slot, and not only at a
    /// deadline that it was told of.
    /// </summary>
    internal void PassFirstTick()
    {
        Service.Schedule(static _ => { }, null, Ticks(1));
        Pass(1);
    }

    /// <summary>Has the store of delays look full.</summary>
    internal void FillDelays() => FreeCount(ref Delays(Collections.Single())) = 1_000_000;

    /// <summary>Has the next new thread look for ended ones.</summary>
    internal void LookForEndedThreads() => LookAt(Registry(Service)) = 1;

    /// <summary>
    /// Called when all threads have ended: nothing is linked in vain beyond what owners keep, and the figures add up.
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
    /// Called when all threads have ended: time passes, after it nothing is pending; and then the service is disposed.
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
    /// Called when the service has been disposed: nothing is pending, nor linked but what owners keep.
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
