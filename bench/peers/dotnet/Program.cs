using ScalableTimers.Peer;

// dotnet ScalableTimers.Peer.dll service|service-thread|timer WORKLOAD full|quick
if (args is not [("service" or "service-thread" or "timer") and var kind, var workload, var size])
{
    Console.Error.WriteLine("usage: ScalableTimers.Peer service|service-thread|timer WORKLOAD full|quick");
    return 2;
}

using ITimers timers = kind == "timer"
    ? new SystemTimers()
    : new ServiceTimers(onDriverThread: kind == "service-thread");
if (workload.StartsWith("schedule", StringComparison.Ordinal)
    || workload.StartsWith("firing", StringComparison.Ordinal))
{
    // This program warms up more often than the others, and with pauses. The runtime optimises in steps and in the
    // background, and three rounds were too few.
    for (var i = 0; i < 8; i++)
    {
        Run(Scale.WarmUp);
        Thread.Sleep(250);
    }
}

Console.WriteLine(Run(size == "quick" ? Scale.Quick : Scale.Full).Line(workload, timers.Name));
return 0;

Result Run(Scale scale) => workload switch
{
    "schedule-cancel" => Pairs.Run(timers, pending: 0, wanted: 4_000_000, scale),
    "schedule-cancel-1m" => Pairs.Run(timers, pending: 1_000_000, wanted: 4_000_000, scale),
    "firing" =>
        Firing.Run(timers, wanted: 2_000_000, wantedSpreadMilliseconds: 1000, isProcessorPerSecond: false, scale),
    "firing-20k" =>
        Firing.Run(timers, wanted: 60_000, wantedSpreadMilliseconds: 3000, isProcessorPerSecond: true, scale),
    "pending-bytes" => Pending.Bytes(timers, scale),
    "idle" => Pending.Idle(timers, scale),
    _ => throw new ArgumentException($"no such workload: {workload}", nameof(args)),
};
