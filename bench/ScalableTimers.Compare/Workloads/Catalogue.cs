using ScalableTimers.Compare.Running;
using ScalableTimers.Compare.Workloads.Firing;
using ScalableTimers.Compare.Workloads.Periodic;
using ScalableTimers.Compare.Workloads.Polling;

namespace ScalableTimers.Compare.Workloads;

/// <summary>All workloads.</summary>
internal static class Catalogue
{
    internal static IReadOnlyList<Workload> All { get; } =
    [
        .. Pairs.All,
        CancelElsewhere.Workload,
        .. OverTimeProvider.All,
        .. Paced.All,
        .. Volleys.All,
        SteadyFiring.Workload,
        SaturatedPool.Workload,
        PendingBytes.Workload,
        OneLock.Workload,
        LongPolling.Workload,
        Statistics.Workload,
        .. ShortestPeriod.All,
        Coalescing.Workload,
    ];
}
