namespace ScalableTimers.Exploration.Scenarios.Clock;

/// <summary>The clock is advanced while a thread sets it.</summary>
internal static class Advancing
{
    /// <summary>
    /// After a thread has scheduled a timer, another advances the clock to its due time while a third sets the clock
    /// for something later: the timer has fired.
    /// </summary>
    [Scenario]
    internal static void ClockAdvancedBesideAnArming(Interleaving run)
    {
        var stage = new Stage(run, isOrdered: true);
        bool isScheduled = false, hasFired = false;
        run.Run("schedules", () => stage.Schedule(10));
        run.Run("schedules the nearer one", () =>
        {
            stage.Schedule(5, () => hasFired = true);
            isScheduled = true;
        });
        run.Run("advances", () =>
        {
            run.WaitUntil(() => isScheduled, "the nearer one");
            stage.Advance(5);
            Require(hasFired, "A callback of 50 ms has not run when the clock has been advanced by 50 ms.");
        });
        run.Check(stage.Service.Dispose);
    }
}

