using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using ScalableTimers.Queues;
using ScalableTimers.Timers;
using ScalableTimers.Wheel;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>A service with a clock, and the conditions that must hold for every service at the end.</summary>
internal sealed class Stage
{
    /// <summary>More entries than a walk or the driver handles before it releases the lock.</summary>
    internal const int MoreThanAStep = 130;

    private readonly Interleaving _run;

    /// <summary>A service whose clock the scenario advances.</summary>
    internal Stage(Interleaving run, bool isOrdered = false, int bucket = 25, ILogger? logger = null)
    {
        _run = run;
        Clock = new ExplorerClock(run);
        var options = new TimerServiceOptions
        {
            Resolution = Ticks(1),
            TimeoutTokenBucket = Ticks(bucket),
            CallbackExceptions = logger is null ? CallbackExceptions.Throw : CallbackExceptions.Log,
        };
        Service = new TimerService(options, Clock, logger, meterFactory: null, isOrdered);
    }

    private Stage(Interleaving run, TimerServiceOptions options)
    {
        _run = run;
        Clock = run.Clock;
        Service = new TimerService(options);
    }

    internal ExplorerClock Clock { get; }

    internal TimerService Service { get; }

    internal TimerServiceSnapshot Figures => Service.GetSnapshot();

    /// <summary>The number of linked entries, including empty ones.</summary>
    internal int Linked => Queues.Sum(static queue => Wheel(queue)?.Count ?? 0);

    internal TimerQueue[] Queues => Registry(Service).All;

    /// <summary>The number of entries of delays that any thread may use again.</summary>
    internal int FreeDelays => Queues.Sum(static queue =>
    {
        var count = 0;
        for (TimerEntry? entry = Free(ref Delays(queue)); entry is not null; entry = entry.Older)
        {
            count++;
        }

        return count;
    });

    // The callbacks that owners keep may still be linked.
    private int Kept => Queues.Sum(static queue => OwnCount(ref Idle(queue.Callbacks)));

    internal static TimeSpan Ticks(int count) => TimeSpan.FromMilliseconds(10 * count);

    /// <summary>A service with a thread of its own, on the system's clock, which the engine advances.</summary>
    internal static Stage OnAThread(Interleaving run) =>
        new(run, new TimerServiceOptions { Resolution = Ticks(1) });

    /// <summary>
    /// Returns true when the delay's time has passed, false when it was cancelled or stopped, and null while it is
    /// pending. It must not be called again after it has returned a result.
    /// </summary>
    internal static bool? OutcomeOf(ValueTask<bool> delay) =>
        delay.IsCompleted ? delay.GetAwaiter().GetResult() : null;

    internal static void CancelPending(ScheduledTimer timer) =>
        Require(timer.Cancel(), "A pending timer was not cancelled.");

    internal ScheduledTimer Schedule(int ticks, Action? callback = null) =>
        Service.Schedule(static callback => ((Action?)callback)?.Invoke(), callback, Ticks(ticks));

    internal ValueTask<bool> Delay(int ticks, CancellationToken token = default) =>
        Service.TryDelay(Ticks(ticks), token);

    internal ValueTask<bool> Delay(
        int ticks,
        DelayScope? scope,
        DelayOptions options = DelayOptions.None,
        CancellationToken token = default) =>
        Service.StartDelay(Ticks(ticks), options | DelayOptions.ReportCancellation, scope, token)
            .AsValueTaskOfBool();

    /// <summary>Creates a timer that fires once, or with a period.</summary>
    internal ITimer CreateTimer(int ticks, Action callback, int? period = null) =>
        Service.CreatePeriodicTimer(_ => callback(), null, Ticks(ticks), PeriodOf(period));

    /// <summary>Creates a timer that outlives the service.</summary>
    internal ITimer CreateOutlivingTimer(int ticks, Action callback, int? period = null) =>
        Service.TimeProvider.CreateTimer(_ => callback(), null, Ticks(ticks), PeriodOf(period));

    /// <summary>Schedules a callback and waits for it. It may be late by one tick.</summary>
    internal void RequireOnTime(int ticks)
    {
        long? firedAt = null;
        var begunAt = Clock.Now;
        Schedule(ticks, () => firedAt = Clock.Now);
        _run.WaitUntil(() => firedAt is not null, "callback");
        var took = TimeSpan.FromTicks(firedAt!.Value - begunAt);
        Require(took <= Ticks(ticks + 1), $"A callback of {ticks} ticks has run after {took.TotalMilliseconds} ms.");
    }

    internal void Stop() => Service.StopAsync().GetAwaiter().GetResult();

    /// <summary>Disposes the service and waits until it has ended.</summary>
    internal void DisposeAndWait()
    {
        var end = Service.DisposeAsync().AsTask();
        _run.WaitUntil(() => end.IsCompleted, "end of the service");
    }

    /// <summary>
    /// Advances the clock on the calling thread, and runs the items there that were queued to the pool.
    /// </summary>
    internal void Pass(int ticks)
    {
        Advance(ticks);
        _run.Pool.Drain();
    }

    /// <summary>Advances the clock on the calling thread.</summary>
    internal void Advance(int ticks) => Clock.Advance(Ticks(ticks));

    /// <summary>Lets time pass. What becomes due is queued to the pool.</summary>
    internal void PassTo(int ticks) => Clock.PassTo(Ticks(ticks).Ticks);

    /// <summary>
    /// Lets one tick pass, in which the driver looks. From then on it wakes at the beginning of a slot, not only at a
    /// published deadline.
    /// </summary>
    internal void PassFirstTick()
    {
        Schedule(1);
        Pass(1);
    }

    /// <summary>Makes the driver wake at a tick and find nothing.</summary>
    internal void WakeForNothing(int ticks)
    {
        var source = new CancellationTokenSource();
        _ = Delay(ticks, source.Token);
        source.Cancel();
        _run.Pool.Drain();
    }

    /// <summary>Makes the next new thread look for ended ones.</summary>
    internal void LookForEndedThreads() => LookAt(Registry(Service)) = 1;

    /// <summary>
    /// Called when all threads have ended. No empty entry is linked except those that owners keep, and the counts add
    /// up.
    /// </summary>
    /// <returns>The figures.</returns>
    internal TimerServiceSnapshot RequireInOrder()
    {
        var seen = Figures;
        Require(seen.Pending >= 0, $"{seen.Pending} timers are pending.");
        Require(
            Linked <= seen.Pending + Kept,
            $"{Linked} entries are linked, with {seen.Pending} timers pending and {Kept} entries kept.");
        var sum = seen.Pending + seen.Fired + seen.Skipped + seen.Cancelled + seen.Dropped;
        Require(seen.Scheduled == sum, $"The figures do not add up: {seen}.");
        Require(seen.Failed == 0, $"{seen.Failed} callbacks have failed.");
        return seen;
    }

    /// <summary>
    /// Called when all threads have ended. Lets time pass, checks that nothing is pending, and disposes the service.
    /// </summary>
    internal void RequireOver(int ticks)
    {
        RequireInOrder();
        Pass(ticks);
        Require(RequireInOrder().Pending == 0, "Timers are pending after all have ended.");
        Service.Dispose();
        Require(
            RequireInOrder() is { Pending: 0, Dropped: 0 },
            "Timers have ended with the service after all had ended.");
    }

    /// <summary>
    /// Called when the service has been disposed. Nothing is pending, and only the entries that owners keep are linked.
    /// </summary>
    internal void RequireDisposed()
    {
        _run.Pool.Drain();
        Service.Dispose();
        Require(RequireInOrder().Pending == 0, "Timers are pending after the service was disposed.");
    }

    private static TimeSpan PeriodOf(int? ticks) => ticks is { } count ? Ticks(count) : Timeout.InfiniteTimeSpan;

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_queues")]
    private static extern ref QueueRegistry Registry(TimerService service);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_lookForEndedThreadsAt")]
    private static extern ref int LookAt(QueueRegistry registry);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_wheel")]
    private static extern ref TimerWheel? Wheel(TimerQueue queue);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_idle")]
    private static extern ref EntryStore Idle(CancelledCallbacks callbacks);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_delays")]
    private static extern ref EntryStore Delays(TimerQueue queue);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_free")]
    private static extern ref QueueEntry? Free(ref EntryStore store);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_ownCount")]
    private static extern ref int OwnCount(ref EntryStore store);
}
