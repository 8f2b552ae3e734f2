using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The same in virtual time. One thread disposes the service and waits for it, while another one advances the clock.
/// </summary>
internal sealed class CallbacksInOrderBesideDisposeAsync : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(new ScalableTimerOptions { Resolution = TimeSpan.FromMilliseconds(10) }, clock);
        var isOver = false;
        int running = 0, fired = 0;
        run.Run(
            "advances",
            prepare: () => service.Schedule(
                _ =>
                {
                    Interleaving.Require(!isOver, "A callback has begun after the wait for all.");
                    running++;
                    Interleaving.Point("in the callback");
                    running--;
                    fired++;
                },
                null,
                TimeSpan.FromMilliseconds(10)),
            body: () => clock.Advance(TimeSpan.FromMilliseconds(10)));
        run.Run("disposes", () =>
        {
            var end = service.DisposeAsync().AsTask();
            run.WaitUntil(() => end.IsCompleted, "end of the service");
            isOver = true;
            Interleaving.Require(running == 0, "A callback runs after the wait for all.");
        });
    }
}
