using Orleans.Timers.Scalable.Compare;
using ScalableTimers.Compare;

if (Stall.RunIfClient(args))
{
    return 0;
}

return Bench.Run(
    args,
    [
        ResponseTimeouts.Lateness,
        ResponseTimeouts.Outstanding,
        Overload.Workload,
        Stall.Workload,
        GrainCalls.Workload,
        StaticTimers.Idle,
        StaticTimers.Lateness,
    ]);
