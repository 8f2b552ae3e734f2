using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>What does an awaited delay cost in a grain?</summary>
internal static class GrainDelays
{
    private const int AtOnce = 5_000;

    internal static Workload Workload { get; } = new(
        "grain-delays",
        $"A grain awaits {AtOnce:N0} delays of 20 to 120 ms at once. How much processor time does each take? The last "
            + "row waits only for the grain's next turn.",
        Column.Cpu,
        static scale =>
        {
            var cluster = new Cluster(silos: 1, Cluster.Scalable);
            Contestant Of(string name, GrainWait wait) => new(name, () =>
            {
                var times = scale.Of(16);
                var before = Usage.Now();
                cluster.Callee(0).Delay(wait, AtOnce, times).GetAwaiter().GetResult();
                return Measurement.OfOperations(before, Usage.Now(), AtOnce * times, threads: 1).Except(Column.Wall);
            });
            return
            [
                Of("Task.Delay", GrainWait.TaskDelay) with { Owned = cluster },
                Of("IGrainDelay", GrainWait.GrainDelay),
                Of("the turn alone", GrainWait.Turn),
            ];
        });
}
