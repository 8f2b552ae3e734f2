using ScalableTimers.Exploration.Engine;
using static ScalableTimers.Exploration.Engine.Interleaving;
using static ScalableTimers.Exploration.Scenarios.Stage;

namespace ScalableTimers.Exploration.Scenarios.Driving;

/// <summary>The driver has a thread of its own, which falls asleep, is woken and ends.</summary>
/// <remarks>
/// Time passes only when no thread can run, so a timer that fires late shows that the driver overslept.
/// </remarks>
internal static class DriverThreads
{
    /// <summary>
    /// A thread schedules while the driver looks at all collections and falls asleep: the driver must not sleep past
    /// the new deadline.
    /// </summary>
    [Scenario]
    internal static void DelayBesideADriverFallingAsleep(Interleaving run) =>
        ScheduleBesideAThread(run, FiringMode.Auto, first: 1);

    /// <summary>
    /// The firing thread falls asleep for a long time while a nearer timer is scheduled. Only the scheduler's signal
    /// can wake it in time.
    /// </summary>
    [Scenario]
    internal static void NearerTimerBesideASleepingFiringThread(Interleaving run) =>
        ScheduleBesideAThread(run, FiringMode.DriverThread, first: 1_000);

    /// <summary>The service is disposed while its thread falls asleep: the thread ends.</summary>
    [Scenario]
    internal static void DriverThreadDisposed(Interleaving run)
    {
        var stage = OnAThread(run);
        run.Run("owner", prepare: () => stage.Schedule(100_000), body: () =>
        {
            stage.Service.Dispose();
            run.WaitUntil(() => run.HasEnded("driver"), "end of the driver's thread");
            Require(stage.Clock.Elapsed < Ticks(2), $"The driver's thread has ended at {stage.Clock.Elapsed}.");
        });
    }

    /// <summary>
    /// The service is disposed while its first timer starts the driver's thread. No thread is left, and the timer fires
    /// by the clock.
    /// </summary>
    [Scenario]
    internal static void SourceDisposedBesideItsStart(Interleaving run) =>
        DisposeBesideTheStart(run, FiringMode.Auto);

    /// <summary>The same with a firing thread and its watchdog. Both threads end.</summary>
    [Scenario(Bound = 1)]
    internal static void FiringThreadDisposedBesideItsStart(Interleaving run) =>
        DisposeBesideTheStart(run, FiringMode.DriverThread);

    /// <summary>
    /// A callback blocks the firing thread until another thread drives, and then schedules. The thread that drives now
    /// is asleep, and is woken for the new timer.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void CallbackOfAReplacedThreadSchedules(Interleaving run)
    {
        var stage = OnAThread(run, FiringMode.DriverThread);
        var isReplaced = false;
        long? firedAt = null;
        var begunAt = 0L;
        run.Run(
            "owner",
            prepare: () => stage.Schedule(1, () =>
            {
                run.WaitUntil(() => isReplaced, "the other callback");
                begunAt = stage.Clock.Now;
                stage.Schedule(2, () => firedAt = stage.Clock.Now);
            }),
            body: () =>
            {
                stage.Schedule(2, () => isReplaced = true);
                stage.Schedule(1_000);
                run.WaitUntil(() => firedAt is not null, "callback");
                var took = TimeSpan.FromTicks(firedAt!.Value - begunAt);
                Require(took <= Ticks(3), $"A callback of 20 ms has run after {took.TotalMilliseconds} ms.");
            });
        run.PoolThreads(1);
    }

    /// <summary>
    /// A callback on the firing thread disposes the service and waits for it. Other due timers run before that or
    /// never, and both threads end.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void ServiceDisposedInAFiringThreadsCallback(Interleaving run)
    {
        var stage = OnAThread(run, FiringMode.DriverThread);
        bool isOver = false, isRunning = false;
        run.Run(
            "owner",
            prepare: () =>
            {
                stage.Schedule(1, () =>
                {
                    stage.DisposeAndWait();
                    isOver = true;
                    Require(!isRunning, "A callback runs after the wait for all.");
                });
                stage.Schedule(1, () =>
                {
                    Require(!isOver, "A callback has begun after the wait for all.");
                    isRunning = true;
                    Point("in the callback");
                    isRunning = false;
                });
            },
            body: () => run.WaitUntil(() => isOver && run.HasEnded("driver"), "end of the driver's threads"));
        run.PoolThreads(1);
    }

    private static void ScheduleBesideAThread(Interleaving run, FiringMode firing, int first)
    {
        var stage = OnAThread(run, firing);
        run.Run("owner", prepare: () => stage.Schedule(first), body: () => stage.RequireOnTime(2));
        run.PoolThreads(1);
    }

    private static void DisposeBesideTheStart(Interleaving run, FiringMode firing)
    {
        var stage = OnAThread(run, firing);
        bool hasFired = false, isDisposed = false, isScheduled = false;
        ITimer? timer = null;
        run.Run("owner", () =>
        {
            timer = stage.CreateProviderTimer(1, () => hasFired = true);
            isScheduled = true;
        });
        run.Run("disposes", () =>
        {
            stage.Service.Dispose();
            isDisposed = true;
            run.WaitUntil(() => isScheduled && run.HasEnded("driver"), "end of the driver's threads");
            run.WaitUntil(() => hasFired, "callback");
            var elapsed = stage.Clock.Elapsed;
            Require(elapsed <= Ticks(2), $"A callback of 10 ms has run at {elapsed.TotalMilliseconds} ms.");
            GC.KeepAlive(timer);
        });
        run.PoolThreads(1);
        run.Check(() => Require(
            isDisposed && stage.Figures.Pending == 0, "Timers are pending in a service that has ended."));
    }
}
