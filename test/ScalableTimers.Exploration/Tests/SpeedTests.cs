using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Tests;

/// <summary>Prints how fast the engine is, and asserts nothing.</summary>
public class SpeedTests
{
    [Fact(Explicit = true)]
    public void Sizes()
    {
        var log = TestContext.Current.TestOutputHelper!;
        foreach (var scenario in ScenarioCatalog.All.Where(static scenario => Effort.IsWanted(scenario.Name)))
        {
            var before = Environment.CpuUsage.TotalTime;
            var full = new Explorer(scenario) { IsPruned = false, MaxTime = TimeSpan.FromSeconds(5) }.DepthFirst(1);
            var explorer = new Explorer(scenario) { MaxTime = TimeSpan.FromSeconds(15) };
            var one = explorer.DepthFirst(1);
            var middle = Environment.CpuUsage.TotalTime;
            var two = explorer.DepthFirst(2);
            var used = Environment.CpuUsage.TotalTime - middle;
            log.WriteLine(
                $"{scenario.Name,-50} all {full.Interleavings,6} {full.IsComplete} pruned {one.Interleavings,6} two "
                + $"{two.Interleavings,7} {two.IsComplete} total {two.Total} {two.Time.TotalSeconds:N1} s reorder "
                + $"{explorer.HasReordering} cpu {used.TotalMicroseconds / two.Total:N0} us");
        }
    }

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
            using var service = new TimerService(new ScalableTimerOptions { Firing = FiringMode.ThreadPool }, clock);
            run.Run("a", static () => Interleaving.Point());
        });
        for (var i = 0; i < 3; i++)
        {
            Measure("one thread", empty);
            Measure("two threads", two);
            Measure("a service", service);
            Measure("two threads beside a service", new Scenarios.Timers.DelayBegunWhileTheServiceStops());
            Measure("the driver's thread", new Scenarios.DelayBesideADriverFallingAsleep());
        }

        void Measure(string what, Scenario scenario)
        {
            var before = Environment.CpuUsage.TotalTime;
            var found = new Explorer(scenario).DepthFirst(1);
            found = found.Interleavings > 100 ? found : new Explorer(scenario).RandomWalk(1, 1000);
            var used = Environment.CpuUsage.TotalTime - before;
            log.WriteLine($"{what}: {found}, processor time {used.TotalMicroseconds / found.Interleavings:N0} us");
        }
    }
}
