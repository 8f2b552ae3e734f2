using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads;

/// <summary>What does a delay cost that its token ends?</summary>
/// <remarks>
/// A provider whose timers do nothing shows what <see cref="Task.Delay(TimeSpan)"/> costs itself. More loops than the
/// pool has threads: with as many, its threads go to sleep in between, and a yield alone takes 185 or 780 ns.
/// </remarks>
internal static class Delays
{
    private const int LoopCount = 16;

    internal static Workload Workload { get; } = new(
        "delays",
        "How much does it cost to await a delay, end it by its token and resume on the pool, in 16 loops on the thread "
        + "pool? The first row waits for the token alone.",
        Column.Wall,
        Contestants);

    // One service is used for all rounds, so that its pools are as full as a server's.
    private static IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        Contestant Of(string name, Func<CancellationToken, Task> wait) =>
            new(name, () => Run(scale.Of(500_000), Loop(wait))) { Against = "Task.Delay" };
        return
        [
            Of("token alone", Waiters.OnToken) with { Owned = timers },
            Of("Task.Delay", Waiters.OnTaskDelay(TimeProvider.System)),
            Of("TryDelay", Waiters.OnTryDelay(timers)),
            Of("Task.Delay, TimeProvider", Waiters.OnTaskDelay(timers.TimeProvider)),
            Of("Task.Delay, empty timers", Waiters.OnTaskDelay(new EmptyTimeProvider())),
        ];
    }

    private static Measurement Run(int operationsPerThread, Func<int, Task> loop)
    {
        var threads = Environment.ProcessorCount;
        var perLoop = operationsPerThread * threads / LoopCount;
        Run(perLoop / 20);
        var before = Usage.Now();
        Run(perLoop);
        return Measurement.OfOperations(before, Usage.Now(), perLoop * LoopCount / threads, threads);

        void Run(int count) =>
            Task.WaitAll([.. Enumerable.Range(0, LoopCount).Select(_ => Task.Run(() => loop(count)))]);
    }

    private static Func<int, Task> Loop(Func<CancellationToken, Task> wait) => async pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource();
            var ended = wait(source.Token);
            source.Cancel();
            await ended.ConfigureAwait(false);
        }
    };
}
