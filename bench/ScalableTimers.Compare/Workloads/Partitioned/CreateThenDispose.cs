using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Partitioned;

/// <summary>
/// How long do processors × 1,000,000 timers take that are created and disposed of, and does it get faster with
/// threads?
/// </summary>
internal sealed class CreateThenDispose(bool yields, bool isServerGC) : Workload
{
    private const int OperationsPerProcessor = 1_000_000;

    internal override string Name => $"partitioned{(yields ? "-yield" : "")}{(isServerGC ? "-server" : "")}";

    internal override string Question =>
        "How long does it take until a timer is created and disposed "
        + $"of{(yields ? ", with an await Task.Yield() between" : "")}, under "
        + $"{(isServerGC ? "server" : "workstation")} GC, "
        + "with 1 thread, as many as processors and twice as many? (ns is the time of all divided by all, "
        + $"{OperationsPerProcessor:N0} a processor; each run is a process of its own)";

    internal override string ComparedBy => "time";

    internal override bool IsSlow => true;

    internal override bool CountsLockWaits => true;

    // Each run has its own process and warms itself up.
    internal override bool IsWarmedUp => false;

    internal override int MostRounds => 3;

    internal override IReadOnlyList<Contestant> Contestants(Scale scale) =>
    [
        .. from threads in (int[])
        [
            .. new[] { 1, Environment.ProcessorCount, 2 * Environment.ProcessorCount }.Distinct()
        ]
           from kind in Enum.GetValues<PartitionedKind>()
           where yields || kind != PartitionedKind.Nothing
           select new Contestant(Row(kind, threads), () => Run(kind, threads))
           {
               Against = Row(RivalOf(kind), threads),
               HasCountedLocks = TimerLoops.HasCountedLocks(kind),
           },
    ];

    private static PartitionedKind RivalOf(PartitionedKind kind) => kind switch
    {
        PartitionedKind.TryDelay or PartitionedKind.TaskDelayOverTimeProvider or PartitionedKind.TaskDelay =>
            PartitionedKind.TaskDelay,
        _ => PartitionedKind.Timer,
    };

    private static string Row(PartitionedKind kind, int threads) =>
        $"{TimerLoops.NameOf(kind)}, {threads} thread{(threads == 1 ? "" : "s")}";

    // A quick run does as many, because an eighth of them would end before the pool has started its second thread.
    private Measurement Run(PartitionedKind kind, int threads) =>
        PartitionedChild.Run(
            kind, yields, isServerGC, threads, OperationsPerProcessor * Environment.ProcessorCount / threads);
}
