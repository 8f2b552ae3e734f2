namespace ScalableTimers.Exploration.Scenarios.Driving;

/// <summary>A clock wakes the driver, which sets it again while threads schedule.</summary>
internal static class Waking
{
    /// <summary>
    /// A thread schedules while the driver, woken by the clock's timer, looks at all queues and sets that timer
    /// again.
    /// </summary>
    [Scenario]
    internal static void ClockDriverFallingAsleep(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        run.Run(
            "owner",
            prepare: () => stage.WakeForNothing(1),
            body: () => stage.Schedule(2, () => fired++));
        run.Run("driver", () => stage.Advance(1));
        run.Check(() =>
        {
            // The clock stood at 0 or 10 ms when the timer was scheduled, and the timer is due 20 ms later.
            stage.Pass(3);
            Require(fired == 1, "A callback due at 20 or 30 ms has not run at 40 ms.");
            stage.Service.Dispose();
        });
    }

    /// <summary>
    /// Two threads schedule their first timers, each in a new queue, while the driver falls asleep.
    /// </summary>
    [Scenario]
    internal static void FirstTimerOfAThread(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        run.Run("driver", prepare: () => stage.WakeForNothing(1), body: () => stage.Advance(1));
        run.Run("one", () => stage.Schedule(2, () => fired++), kind: "schedules");
        run.Run("other", () => stage.Schedule(2, () => fired++), kind: "schedules");
        run.Check(() =>
        {
            stage.Pass(3);
            Require(fired == 2, $"{fired} of two callbacks due at 30 ms at the latest have run at 40 ms.");
            Require(stage.Figures is { Queues: 3, Pending: 0 }, "The figures are wrong.");
            stage.Service.Dispose();
        });
    }

    /// <summary>
    /// The clock rings while the driver serves the previous ring. The clock rings for every timer that is left.
    /// </summary>
    [Scenario]
    internal static void RingBesideAWakeUp(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = new int[3];
        run.Run("ring", prepare: () => ScheduleInTurn(stage, fired), body: () => stage.Advance(1));
        run.Run("next ring", () => stage.Advance(1));
        run.Run("third ring", () => stage.Advance(1));
        run.Check(() =>
        {
            // An alarm that is set while the clock advances rings that much later.
            stage.Pass(3);
            Require(
                fired is [1, 1, 1],
                $"At {stage.Clock.Elapsed.TotalMilliseconds} ms the callbacks due at 10, 20 and 30 ms have run "
                + $"{string.Join(", ", fired)} times.");
            Require(stage.Figures is { Fired: 3, Pending: 0 }, "The figures are wrong.");
            stage.Service.Dispose();
        });
    }

    /// <summary>
    /// A clock in virtual time rings on two threads at once. Each due timer fires once, and both wake-ups are counted.
    /// </summary>
    [Scenario]
    internal static void TwoServeInOrderAtOnce(Interleaving run)
    {
        var stage = new Stage(run, isOrdered: true);
        var fired = new int[2];
        run.Run(
            "ring",
            prepare: () =>
            {
                ScheduleInTurn(stage, fired);
                stage.PassTo(2);
            },
            body: stage.Service.Driver.Serve);
        run.Run("other ring", stage.Service.Driver.Serve);
        run.Check(() =>
        {
            Require(fired is [1, 1], $"Callbacks that are due have run {fired[0]} and {fired[1]} times.");
            Require(stage.Figures is { Fired: 2, Pending: 0, DriverWakeUps: 2 }, "The figures are wrong.");
            stage.Service.Dispose();
        });
    }

    /// <summary>
    /// The driver moves so many entries to a lower level that its pass takes several rounds, while the owner and a new
    /// thread schedule. Each timer fires once and on time.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void ScheduleBesideAPassInRounds(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        run.Run(
            "owner",
            prepare: () =>
            {
                for (var i = 0; i < MoreThanAStep; i++)
                {
                    stage.CreateTimer(71, () => fired++);
                }

                stage.PassFirstTick();
            },
            body: () => stage.Schedule(8, () => fired++));
        run.Run("new", () => stage.Schedule(2, () => fired++));
        run.Run("driver", () => stage.Advance(63));
        run.Check(() =>
        {
            stage.Pass(10);
            Require(fired == MoreThanAStep + 2, $"{fired} of {MoreThanAStep + 2} callbacks have run.");
            stage.RequireOver(ticks: 1);
        });
    }

    /// <summary>
    /// Callbacks have lately taken so long that only some of those that are due go before the pool's other work. All of
    /// them run once. (Seen to wait for ever if those that go first are not started.)
    /// </summary>
    [Scenario]
    internal static void DriverInDebt(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        run.Run(
            "driver",
            prepare: () =>
            {
                stage.Schedule(1, () => stage.PassTo(100));
                stage.Pass(1);
                for (var i = 0; i < 3; i++)
                {
                    stage.Schedule(1, () => fired++);
                }
            },
            body: () =>
            {
                ThreadPool.UnsafeQueueUserWorkItem(static _ => { }, null);
                stage.Advance(1);
                run.WaitUntil(() => fired == 3, "callbacks");
            });
        run.PoolThreads(2);
        run.Check(() => stage.RequireOver(ticks: 1));
    }

    // One callback per tick.
    private static void ScheduleInTurn(Stage stage, int[] fired)
    {
        for (var i = 0; i < fired.Length; i++)
        {
            var number = i;
            stage.Schedule(i + 1, () => fired[number]++);
        }
    }
}
