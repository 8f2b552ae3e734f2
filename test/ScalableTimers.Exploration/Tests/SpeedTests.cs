using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Tests;

/// <summary>How fast the engine is; prints and asserts nothing.</summary>
public class SpeedTests
{
    [Fact(Explicit = true)]
    public void Speed()
    {
        var log = TestContext.Current.TestOutputHelper!;
        var empty = new LambdaScenario(static run => run.Run("a", static () => Interleaving.Point()));
        var two = new LambdaScenario(static run =>
        {
            run.Run("a", static () => Interleaving.Point());
            run.Run("b", static () => Interleaving.Point());
        });
        var service = new LambdaScenario(static run =>
        {
            var clock = new ExplorerClock(run);
            using var service = new TimerService(new ScalableTimerOptions { FireOnThreadPool = true }, clock);
            run.Run("a", static () => Interleaving.Point());
        });
        for (var i = 0; i < 3; i++)
        {
            log.WriteLine("one thread: " + new Explorer(empty).RandomWalk(1, 3000));
            log.WriteLine("two threads: " + new Explorer(two).RandomWalk(1, 3000));
            log.WriteLine("a service: " + new Explorer(service).RandomWalk(1, 3000));
            log.WriteLine("scenario: " + new Explorer(new Scenarios.DelayBesideADriverFallingAsleep()).RandomWalk(1, 1000));
        }
    }
}
