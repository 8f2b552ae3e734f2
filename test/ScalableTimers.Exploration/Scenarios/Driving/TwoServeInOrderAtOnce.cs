using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// A clock in virtual time rings on two threads at once. Each due timer fires once, and both wake-ups are counted.
/// </summary>
internal sealed class TwoServeInOrderAtOnce : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new ExplorerClock(run);
        var service = new TimerService(new ScalableTimerOptions { Resolution = TimeSpan.FromMilliseconds(10) }, clock);
        var fired = new int[2];
        run.Run(
            "ring",
            prepare: () =>
            {
                for (var i = 0; i < fired.Length; i++)
                {
                    var number = i;
                    service.Schedule(_ => fired[number]++, null, TimeSpan.FromMilliseconds(10));
                }

                clock.PassTo(TimeSpan.FromMilliseconds(10).Ticks);
            },
            body: service.Driver.Serve);
        run.Run("other ring", service.Driver.Serve);
        run.Check(() =>
        {
            Interleaving.Require(fired is [1, 1], $"Callbacks that are due have run {fired[0]} and {fired[1]} times.");
            Interleaving.Require(
                service.GetSnapshot() is { Fired: 2, Pending: 0, DriverWakeUps: 2 }, "The figures are wrong.");
            service.Dispose();
        });
    }
}
