using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A scheduling thread takes out overdue timers while the driver wakes late. Each callback runs once, and none runs
/// after the wait for all.
/// </summary>
internal sealed class StarvedThreadHelpsItself : Scenario
{
    internal override int Bound => 1;

    internal override void Arrange(Interleaving run)
    {
        var service = new TimerService(
            new ScalableTimerOptions { Driver = TimerDriverKind.Thread, Resolution = TimeSpan.FromMilliseconds(10) });
        var fired = new int[2];
        var isOver = false;
        run.Run(
            "owner",
            prepare: () =>
            {
                for (var i = 0; i < fired.Length; i++)
                {
                    var number = i;
                    service.Schedule(
                        _ =>
                        {
                            Interleaving.Require(!isOver, "A callback has begun after the wait for all.");
                            fired[number]++;
                        },
                        null,
                        TimeSpan.FromMilliseconds(10));
                }

                run.Clock.PassTo(TimeSpan.FromMilliseconds(100).Ticks);
            },
            body: () =>
            {
                service.Driver.RelieveIfStarved(service.CurrentCollection(), run.Clock.Now);
                run.WaitUntil(() => fired[0] + fired[1] == 2, "callbacks");
                var end = service.DisposeAsync().AsTask();
                run.WaitUntil(() => end.IsCompleted, "end of the service");
                isOver = true;
                Interleaving.Require(
                    fired[0] == 1 && fired[1] == 1, $"The callbacks have run {fired[0]} and {fired[1]} times.");
                Interleaving.Require(service.GetSnapshot() is { Fired: 2, Dropped: 0 }, "The figures are wrong.");
            });
        run.PoolThreads(1);
    }
}
