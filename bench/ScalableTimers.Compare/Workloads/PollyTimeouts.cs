using Polly;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads;

/// <summary>What does a timeout of Polly cost on its own clock, and what does it cost on ours?</summary>
/// <remarks>Polly reuses its sources only with the system clock.</remarks>
internal static class PollyTimeouts
{
    internal static Workload Workload { get; } = new(
        "polly",
        "How much does Polly's timeout strategy cost around a call that returns at once, on 1 and 2 threads? With any "
        + "clock but the system's, Polly creates a source for each execution.",
        Column.Wall,
        static scale => [.. Contestants(threads: 1, scale), .. Contestants(threads: 2, scale)]);

    private static IEnumerable<Contestant> Contestants(int threads, Scale scale)
    {
        var timers = new TimerService();
        Contestant Of(string name, TimeProvider clock) => new(
            Contestant.On(threads, name),
            () => ThreadLoops.Run(threads, scale.Of(1_000_000), () => LoopOver(clock)))
        { Against = Contestant.On(threads, "system clock") };
        return
        [
            Of("system clock", TimeProvider.System),
            Of("TimeProvider", timers.TimeProvider) with { Owned = timers },
            Of("empty timers", new EmptyTimeProvider()),
        ];
    }

    private static Action<int> LoopOver(TimeProvider clock)
    {
        var pipeline = new ResiliencePipelineBuilder { TimeProvider = clock }.AddTimeout(Loops.DueTime).Build();
        return calls =>
        {
            for (var i = 0; i < calls; i++)
            {
                var call = pipeline.ExecuteAsync(static _ => ValueTask.CompletedTask);
                Loops.MustBe(call.IsCompletedSuccessfully);
                call.GetAwaiter().GetResult();
            }
        };
    }
}
