using ScalableTimers.Compare;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Workloads;
using ScalableTimers.Compare.Workloads.Firing;
using ScalableTimers.Compare.Workloads.Periodic;
using ScalableTimers.Compare.Workloads.Polling;

if (args is ["--docs", var root])
{
    foreach (var (path, text) in new ResultTables(root).Pages().ToList())
    {
        File.WriteAllText(path, text);
    }

    return 0;
}

return Bench.Run(
    args,
    [
        .. Pairs.All,
        CancelElsewhere.Workload,
        Delays.Workload,
        .. Timeouts.All,
        .. Moves.All,
        PollyTimeouts.Workload,
        HttpTimeouts.Workload,
        .. Paced.All,
        .. Volleys.All,
        SaturatedPool.Workload,
        PendingBytes.Workload,
        OneLock.Workload,
        LongPolling.Workload,
        Statistics.Workload,
        ShortestPeriod.Workload,
    ]);
