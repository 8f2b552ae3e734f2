using Orleans.Timers.Scalable.Compare;
using ScalableTimers.Compare;

return Bench.Run(
    args,
    [
        ResponseTimeouts.Lateness,
        ResponseTimeouts.Outstanding,
        Overload.Workload,
        GrainCalls.Workload,
        GrainDelays.Workload,
        StaticTimers.Idle,
        StaticTimers.Lateness,
        ManagedDelays.Workload,
    ]);
