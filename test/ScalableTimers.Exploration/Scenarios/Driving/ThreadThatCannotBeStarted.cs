using System.Linq.Expressions;
using System.Reflection;
using ScalableTimers.Driving;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Two threads schedule while the driver's thread cannot be started. The pool drives in turns, and both timers fire.
/// </summary>
internal class ThreadThatCannotBeStarted : Scenario
{
    internal override int Bound => 1;

    private static readonly Func<TimerService, ThreadWakeSource> s_source = CompileSource();

    protected virtual ScarceThreads NewThreads() => new(failingStarts: 1, failingTurns: 0);

    internal override void Arrange(Interleaving run)
    {
        var service = NewService(NewThreads());
        var fired = 0;
        run.Run("one", () => service.Schedule(_ => fired++, null, TimeSpan.FromMilliseconds(30)));
        run.Run("other", () =>
        {
            service.Schedule(_ => fired++, null, TimeSpan.FromMilliseconds(10));
            run.WaitUntil(() => fired == 2, "both callbacks");
            Interleaving.Require(
                run.Clock.Elapsed <= TimeSpan.FromMilliseconds(30 + 20 + 10),
                $"A callback of 30 ms has run at {run.Clock.Elapsed.TotalMilliseconds} ms.");
        });
        run.PoolThreads(2);
        run.Check(() => Interleaving.Require(fired == 2, $"{fired} callbacks have run."));
    }

    protected static TimerService NewService(ScarceThreads threads)
    {
        var service = new TimerService(
            new ScalableTimerOptions { Driver = TimerDriverKind.Thread, Resolution = TimeSpan.FromMilliseconds(10) });
        s_source(service).Supply = threads;
        return service;
    }

    private static Func<TimerService, ThreadWakeSource> CompileSource()
    {
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.NonPublic;
        var service = Expression.Parameter(typeof(TimerService));
        var driver = Expression.Property(service, nameof(TimerService.Driver));
        var source = Expression.Field(driver, typeof(TimerDriver).GetField("_source", Any)!);
        return Expression.Lambda<Func<TimerService, ThreadWakeSource>>(
            Expression.Convert(source, typeof(ThreadWakeSource)), service)
            .Compile();
    }
}
