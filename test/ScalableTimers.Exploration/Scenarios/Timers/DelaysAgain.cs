namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>The entry of a delay is used again, and delays begin while their service ends.</summary>
internal static class DelaysAgain
{
    /// <summary>
    /// A delay is linked at a place before its deadline, and the driver moves it. Meanwhile the owner cancels it and
    /// begins a shorter one with the same entry, which must not be moved past its own deadline.
    /// </summary>
    [Scenario]
    internal static void DelayMovedOnPastItsNextLife(Interleaving run)
    {
        var stage = new Stage(run);
        var longer = new CancellationTokenSource();
        ValueTask<bool> last = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                // The entry's place is at 5 ticks, its deadline at 100.
                BeginAndCancel(run, stage);
                last = stage.Delay(100, longer.Token);
            },
            body: () =>
            {
                Cancel(longer);
                run.Pool.Drain();
                Require(OutcomeOf(last) == false, "A cancelled delay has not ended.");
                last = stage.Delay(10);
            });
        run.Run("driver", () => stage.Advance(5));
        run.Check(() =>
        {
            stage.Pass(11);
            Require(OutcomeOf(last) == true, "A delay of 10 ticks has not ended after 11.");
            stage.Service.Dispose();
        });
    }

    /// <summary>
    /// Stopping ends each delay, whether it began before, during or after, in a new entry, in one already linked, or in
    /// a new queue: one that began after it within its time, at most a second.
    /// </summary>
    [Scenario]
    internal static void DelayBegunWhileTheServiceStops(Interleaving run)
    {
        var stage = new Stage(run);
        var delays = new ValueTask<bool>[3];
        run.Run(
            "owner",
            prepare: () => BeginAndCancel(run, stage),
            body: () =>
            {
                delays[0] = stage.Delay(100);
                delays[1] = stage.Delay(1_000);
            });
        run.Run("new", () => delays[2] = stage.Delay(5));
        run.Run("stops", stage.Stop);
        run.Check(() =>
        {
            stage.RequireInOrder();
            stage.Pass(101);
            Require(
                delays.All(static delay => OutcomeOf(delay) == false),
                "A delay begun while the service stops has not ended as cancelled after a second.");
            stage.RequireOver(ticks: 1);
        });
    }

    // Leaves an empty entry linked at 5 ticks, which the next delay uses again.
    private static void BeginAndCancel(Interleaving run, Stage stage)
    {
        var source = new CancellationTokenSource();
        var delay = stage.Delay(5, source.Token);
        source.Cancel();
        run.Pool.Drain();
        Require(OutcomeOf(delay) == false, "A cancelled delay has not ended.");
    }
}
