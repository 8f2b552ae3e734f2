using Orleans.Timers.Internal;
using Orleans.Timers.Scalable.Transactions.Confirmation;
using ScalableTimers;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>What does a delay of <see cref="ITimerManager"/> cost when it is cancelled at once?</summary>
/// <remarks>
/// Orleans keeps its timers in one queue per thread, and its own delay polls its token now and then. The others
/// register with the token; one row shows what that costs.
/// </remarks>
internal static class ManagedDelays
{
    private static readonly TimeSpan s_dueTime = TimeSpan.FromSeconds(100);

    internal static Workload Workload { get; } = new(
        "timer-manager",
        "How much does it cost to start a delay of ITimerManager and cancel it at once, on 1 thread and on one for "
        + "each processor? Orleans keeps its own in a list for up to 50 ms more.",
        Column.Wall,
        Contestants);

    private static IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var stock = (ITimerManager)Activator.CreateInstance(
            typeof(ITimerManager).Assembly.GetType("Orleans.Timers.Internal.TimerManagerImpl", throwOnError: true)!)!;
        var ours = new ScalableTimerManager(timers);
        (string Name, Func<TimeSpan, CancellationToken, Task> Delay)[] all =
        [
            ("Orleans' ITimerManager", stock.Delay),
            ("the plugin's ITimerManager", ours.Delay),
            ("Task.Delay", Task.Delay),
            ("a registration, no delay", static (_, token) => Register(token)),
        ];
        return
        [
            .. from threads in new[] { 1, Environment.ProcessorCount }.Distinct()
               from one in all
               select new Contestant(
                   Contestant.On(threads, one.Name),
                   () => ThreadLoops.Run(threads, scale.Of(250_000), () => pairs => Repeat(one.Delay, pairs)))
               {
                   Against = Contestant.On(threads, all[0].Name),
               },
        ];
    }

    private static void Repeat(Func<TimeSpan, CancellationToken, Task> delay, int pairs)
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource();
            _ = delay(s_dueTime, source.Token);
            source.Cancel();
        }
    }

    private static Task Register(CancellationToken token)
    {
        token.UnsafeRegister(static _ => { }, null);
        return Task.CompletedTask;
    }
}
