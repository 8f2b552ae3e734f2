namespace ScalableTimers.Exploration.Scenarios.Driving;

/// <summary>The driver has a thread of its own, which falls asleep, is woken and ends.</summary>
/// <remarks>
/// Time passes only when no thread can run, so a timer that fires late shows that the driver overslept.
/// </remarks>
internal static class DriverThreads
{
    /// <summary>
    /// A thread schedules while the driver looks at all queues and falls asleep: the driver must not sleep past
    /// the new deadline.
    /// </summary>
    [Scenario]
    internal static void DelayBesideADriverFallingAsleep(Interleaving run) =>
        ScheduleBesideAThread(run, CallbackThread.ThreadPool, first: 1);

    /// <summary>
    /// The driver's thread, which runs callbacks, falls asleep for a long time while a nearer timer is scheduled. Only
    /// the scheduler's signal can wake it in time.
    /// </summary>
    [Scenario]
    internal static void NearerTimerBesideASleepingDriver(Interleaving run) =>
        ScheduleBesideAThread(run, CallbackThread.DriverThread, first: 1_000);

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
    /// The service is disposed while its first timer starts the driver's thread. No thread is left, and the clock fires
    /// the timer.
    /// </summary>
    [Scenario]
    internal static void SourceDisposedBesideItsStart(Interleaving run)
    {
        var stage = OnAThread(run);
        bool hasFired = false, isDisposed = false, isScheduled = false;
        ITimer? timer = null;
        run.Run("owner", () =>
        {
            timer = stage.CreateOutlivingTimer(1, () => hasFired = true);
            isScheduled = true;
        });
        run.Run("disposes", () =>
        {
            stage.Service.Dispose();
            isDisposed = true;
            run.WaitUntil(() => isScheduled && run.HasEnded("driver"), "end of the driver's thread");
            run.WaitUntil(() => hasFired, "callback");
            var elapsed = stage.Clock.Elapsed;
            Require(elapsed <= Ticks(2), $"A callback of 10 ms has run at {elapsed.TotalMilliseconds} ms.");
            GC.KeepAlive(timer);
        });
        run.PoolThreads(1);
        run.Check(() => Require(
            isDisposed && stage.Figures.Pending == 0, "Timers are pending in a service that has ended."));
    }

    /// <summary>
    /// A callback on the driver's thread disposes the service and waits for it. The rest of its batch runs on the pool
    /// before the wait ends, and the driver's thread ends.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void ServiceDisposedOnTheDriversThread(Interleaving run)
    {
        var stage = OnAThread(run, CallbackThread.DriverThread);
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
            body: () => run.WaitUntil(() => isOver && run.HasEnded("driver"), "end of the driver's thread"));
        run.PoolThreads(1);
    }

    private static void ScheduleBesideAThread(Interleaving run, CallbackThread callbacks, int first)
    {
        var stage = OnAThread(run, callbacks);
        run.Run("owner", prepare: () => stage.WakeForNothing(first), body: () => stage.RequireOnTime(2));
        run.PoolThreads(1);
    }
}
