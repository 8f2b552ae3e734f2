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
        ScheduleBesideAThread(run, first: 1);

    /// <summary>
    /// The driver's thread falls asleep for a long time while a nearer timer is scheduled. Only the scheduler's signal
    /// can wake it in time.
    /// </summary>
    [Scenario]
    internal static void NearerTimerBesideASleepingDriver(Interleaving run) =>
        ScheduleBesideAThread(run, first: 1_000);

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
    /// The service is disposed while its first timer starts the driver's thread. The timer outlives it and fires on
    /// time, and the thread ends.
    /// </summary>
    [Scenario]
    internal static void DisposedBesideItsFirstTimer(Interleaving run) =>
        RunOut(run, isDisposedFirst: false, timers: 1);

    /// <summary>
    /// A timer of a disposed service is set while its driver's thread ends, and one of the clock's timers takes its
    /// place. It fires on time.
    /// </summary>
    [Scenario]
    internal static void TimerBesideADriverThatEnds(Interleaving run) => RunOut(run, isDisposedFirst: true, timers: 1);

    /// <summary>Two timers of a disposed service are set while its driver's thread ends.</summary>
    [Scenario(Bound = 1)]
    internal static void TwoTimersBesideADriverThatEnds(Interleaving run) =>
        RunOut(run, isDisposedFirst: true, timers: 2);

    private static void RunOut(Interleaving run, bool isDisposedFirst, int timers)
    {
        var stage = OnAThread(run);
        var fired = 0;
        var set = new List<ITimer>();
        for (var i = 0; i < timers; i++)
        {
            run.Run(
                $"owner {i}",
                kind: "owner",
                prepare: i > 0 || !isDisposedFirst ? null : () => stage.Schedule(1_000),
                body: () =>
                {
                    var begunAt = stage.Clock.Now;
                    set.Add(stage.CreateOutlivingTimer(1, () =>
                    {
                        fired++;
                        var took = TimeSpan.FromTicks(stage.Clock.Now - begunAt);
                        Require(took <= Ticks(2), $"A timer of 10 ms has fired after {took.TotalMilliseconds} ms.");
                    }));
                });
        }

        run.Run("disposes", () =>
        {
            stage.Service.Dispose();
            run.WaitUntil(() => fired == timers && run.HasEnded("driver"), "end of the driver's thread");
            Require(stage.Clock.Elapsed < Ticks(5), $"The driver's thread has ended at {stage.Clock.Elapsed}.");
        });
        run.PoolThreads(1);
        run.Check(() => Require(stage.Figures.Pending == 0, "Timers are pending in a service that has run out."));
    }

    private static void ScheduleBesideAThread(Interleaving run, int first)
    {
        var stage = OnAThread(run);
        run.Run("owner", prepare: () => stage.WakeForNothing(first), body: () => stage.RequireOnTime(2));
        run.PoolThreads(1);
    }
}
