namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>Timers fire periodically, are changed and disposed.</summary>
internal static class Repeating
{
    /// <summary>
    /// Two threads change a timer while it fires. No firing is early or lost, and at most one is linked.
    /// </summary>
    [Scenario]
    internal static void TimerChangedByTwo(Interleaving run) => ChangeBesideFiring(run, outlives: false);

    /// <summary>
    /// A timer is moved later while another thread moves it nearer and then disposes it, and the driver finds it due at
    /// its place. It fires once for each time that it was set after it had fired, and never after its end.
    /// </summary>
    [Scenario]
    internal static void TimerPostponedBesideAStop(Interleaving run)
    {
        var stage = new Stage(run);
        var firings = 0;
        var isStopped = false;
        ITimer? timer = null;
        run.Run(
            "owner",
            prepare: () => timer = stage.CreateOutlivingTimer(1, () => firings++),
            body: () =>
            {
                var hasEnded = isStopped;
                var isMoved = timer!.Change(Ticks(5), Timeout.InfiniteTimeSpan);
                Require(!hasEnded || !isMoved, "A timer was moved after its end.");
            });
        run.Run("stops", () =>
        {
            timer!.Change(Ticks(2), Timeout.InfiniteTimeSpan);
            timer.Dispose();
            isStopped = true;
        });
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            var before = firings;
            Require(before <= 2, $"A timer has fired {before} times by its first tick.");
            Require(!timer!.Change(Ticks(1), Timeout.InfiniteTimeSpan), "A timer was changed after its end.");
            stage.RequireOver(ticks: 70);
            Require(firings == before, "A timer has fired after its end.");
        });
    }

    /// <summary>
    /// A period passes while the callback runs on another thread. Its firing is skipped and counted, and two callbacks
    /// never run at once.
    /// </summary>
    [Scenario]
    internal static void PeriodicTimerSkips(Interleaving run)
    {
        var stage = new Stage(run);
        int firings = 0, running = 0;
        run.Run(
            "owner",
            prepare: () => stage.Service.CreatePeriodicTimer(
                _ =>
                {
                    Require(++running == 1, "Two callbacks of a timer run at once.");
                    firings++;
                    Point("in the callback");
                    running--;
                },
                null,
                Ticks(1),
                Ticks(1)),
            body: () => stage.Pass(1));
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            // An alarm that was being set while the clock advanced is late. Once it has rung and has been set
            // undisturbed, everything is on time.
            for (var i = 0; i < 3; i++)
            {
                stage.Pass(1);
            }

            var periods = stage.Clock.Now / Ticks(1).Ticks;
            var seen = stage.RequireInOrder();
            Require(
                firings + seen.Skipped == periods && seen.Pending == 1,
                $"Of {periods} periods {firings} have fired and {seen.Skipped} were left out.");
            stage.RequireDisposed();
        });
    }

    /// <summary>
    /// A periodic timer is disposed while it fires and is linked again. It does not fire later, and nothing stays
    /// pending.
    /// </summary>
    /// <remarks>
    /// A callback that the pool thread has decided to run, but has not entered yet, runs after Dispose, as with every
    /// timer of .NET.
    /// </remarks>
    [Scenario]
    internal static void PeriodicTimerDisposedBesideFiring(Interleaving run)
    {
        var stage = new Stage(run);
        var firings = 0;
        ITimer? timer = null;
        run.Run(
            "owner",
            prepare: () => timer = stage.CreateTimer(1, () => firings++, period: 1),
            body: () => timer!.Dispose());
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            var before = firings;
            stage.RequireOver(ticks: 2);
            Require(
                before <= 1 && firings == before,
                $"It has fired {before} times until it was disposed and {firings - before} times later.");
        });
    }

    /// <summary>
    /// A postponed firing is due when its callback has returned, while another thread changes the timer. The timer is
    /// linked once, and fires for its last change.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void OwedFiringBesideAChange(Interleaving run)
    {
        var stage = new Stage(run);
        var firings = 0;
        ITimer? timer = null;
        run.Run(
            "owner",
            prepare: () => timer = stage.CreateTimer(1, () =>
            {
                if (++firings == 1)
                {
                    // The timer expires while its callback runs.
                    timer!.Change(Ticks(1), Timeout.InfiniteTimeSpan);
                    stage.Advance(1);
                }
            }),
            body: () => stage.Pass(1));
        run.Run("changes", () => timer!.Change(Ticks(5), Timeout.InfiniteTimeSpan));
        run.Check(() =>
        {
            // The callback may run here for the first time. Then the firing is postponed.
            stage.Pass(10);
            stage.RequireOver(ticks: 10);
            Require(firings is 2 or 3, $"A timer set three times has fired {firings} times.");
        });
    }

    /// <summary>
    /// Callbacks dispose their own timer, without blocking, and go on. All that wait for the timer's end wait for them:
    /// also what they themselves await.
    /// </summary>
    [Scenario]
    internal static void TimerAwaitedBesideCallbacksThatDisposeIt(Interleaving run)
    {
        var stage = new Stage(run);
        int running = 0, waited = 0;
        ITimer? timer = null;
        var inside = new List<Task>();
        run.Run(
            "driver",
            prepare: () => timer = stage.CreateOutlivingTimer(
                1,
                () =>
                {
                    Require(waited == 0, "A callback has begun after the end of its timer was waited for.");
                    running++;
                    inside.Add(timer!.DisposeAsync().AsTask());
                    Require(!inside[^1].IsCompleted, "A timer has ended while its callback runs.");
                    Point("in the callback");
                    running--;
                },
                period: 1),
            body: () => stage.Advance(2));
        run.Run("disposes", () =>
        {
            var end = timer!.DisposeAsync().AsTask();
            run.WaitUntil(() => end.IsCompleted, "end of the timer");
            Require(running == 0, "A callback runs after the end of its timer was waited for.");
            waited++;
        });
        run.PoolThreads(2);
        run.Check(() =>
        {
            stage.RequireOver(ticks: 2);
            Require(waited == 1 && inside.TrueForAll(static end => end.IsCompleted), "A wait has not ended.");
        });
    }

    /// <summary>
    /// A timer is disposed and awaited while its callback runs and its thread sets another one nearer: the wait lasts
    /// until the end, and the other one fires.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void TimerAwaitedBesideAnotherOne(Interleaving run)
    {
        var stage = new Stage(run);
        int ended = 0, fired = 0;
        bool isRunning = false, isAwaited = false;
        ITimer? timer = null, other = null;
        run.Run(
            "owner",
            prepare: () =>
            {
                other = stage.CreateTimer(100, () => fired++);
                timer = stage.CreateTimer(1, () =>
                {
                    isRunning = true;
                    run.WaitUntil(() => isAwaited, "the call that awaits it");
                    ended++;
                });
            },
            body: () =>
            {
                run.WaitUntil(() => isRunning, "callback");
                other!.Change(Ticks(1), Timeout.InfiniteTimeSpan);
            });
        run.Run("disposes", () =>
        {
            run.WaitUntil(() => isRunning, "callback");
            var end = timer!.DisposeAsync().AsTask();
            isAwaited = true;
            run.WaitUntil(() => end.IsCompleted, "end of the timer");
            Require(ended == 1, "The callback runs after its timer's end was waited for.");
        });
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.Pass(1);
            Require(fired == 1, $"The other timer has fired {fired} times.");
            stage.RequireOver(ticks: 1);
        });
    }

    /// <summary>
    /// Two threads change a timer while it is due. If it outlives its service, that has ended and the clock drives it.
    /// </summary>
    internal static void ChangeBesideFiring(Interleaving run, bool outlives)
    {
        var stage = new Stage(run);
        var later = outlives ? 6 : 70;
        int firings = 0, early = 0;
        ITimer? timer = null;
        run.Run(
            "owner",
            prepare: () =>
            {
                timer = outlives ? stage.CreateOutlivingTimer(1, Fire) : stage.CreateTimer(1, Fire);
                if (outlives)
                {
                    stage.Service.Dispose();
                }
            },
            body: () => Require(timer!.Change(Ticks(5), Timeout.InfiniteTimeSpan), "A timer was not changed."));
        run.Run("changes", () => timer!.Change(Ticks(later), Timeout.InfiniteTimeSpan));
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            var before = firings;
            stage.Pass(3);
            Require(early == 0 && firings == before, "A timer has fired early.");
            stage.RequireOver(ticks: later);
            Require(
                before is 0 or 1 && firings == before + 1,
                $"A timer has fired {before} times before it was set for the last time, and {firings - before} times "
                + "after it.");
            Require(stage.Clock.ArmedTimers == 0, "The clock is set for nothing.");
            GC.KeepAlive(timer);
        });

        void Fire()
        {
            firings++;
            early += stage.Clock.Elapsed < Ticks(1) ? 1 : 0;
        }
    }
}
