using ScalableTimers.Exploration.Engine;
using static ScalableTimers.Exploration.Engine.Interleaving;
using static ScalableTimers.Exploration.Scenarios.Stage;

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
                BeginAndCancel(stage);
                last = stage.Delay(100, longer.Token);
            },
            body: () =>
            {
                Cancel(longer);
                Require(Outcome.Of(last) == false, "A cancelled delay has not ended.");
                last = stage.Delay(10);
            });
        run.Run("driver", () => stage.Advance(5));
        run.Check(() =>
        {
            stage.Pass(11);
            Require(Outcome.Of(last) == true, "A delay of 10 ticks has not ended after 11.");
            stage.Service.Dispose();
        });
    }

    /// <summary>
    /// Stopping ends each delay, whether it began before, after or meanwhile, in a new entry or in one that is linked
    /// already.
    /// </summary>
    [Scenario]
    internal static void DelayBegunWhileTheServiceStops(Interleaving run)
    {
        var stage = new Stage(run);
        ValueTask<bool> first = default, second = default;
        run.Run(
            "owner",
            prepare: () => BeginAndCancel(stage),
            body: () =>
            {
                first = stage.Delay(100);
                second = stage.Delay(100);
            });
        run.Run("stops", stage.Stop);
        run.Check(() =>
        {
            Require(Outcome.Of(first) == false, "A delay begun while the service stops is pending after it.");
            Require(Outcome.Of(second) == false, "A second delay begun while the service stops is pending after it.");
            Require(stage.Figures.Pending == 0, "Timers are pending after all have ended.");
            stage.Service.Dispose();
        });
    }

    // Leaves an empty entry linked at 5 ticks, which the next delay uses again.
    private static void BeginAndCancel(Stage stage)
    {
        var source = new CancellationTokenSource();
        var delay = stage.Delay(5, source.Token);
        source.Cancel();
        Require(Outcome.Of(delay) == false, "A cancelled delay has not ended.");
    }
}
