using System.Globalization;
using ScalableTimers;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;
using ScalableTimers.Peer;

// dotnet ScalableTimers.Peer.dll service|timer WORKLOAD full|quick
if (args is not [("service" or "timer") and var kind, var workload, var size])
{
    Console.Error.WriteLine("usage: ScalableTimers.Peer service|timer WORKLOAD full|quick");
    return 2;
}

using var service = kind == "timer" ? null : new TimerService();
var timers = service is null ? Timers.System : Timers.Of("TimerService", service);
if (workload.StartsWith("schedule", StringComparison.Ordinal)
    || workload.StartsWith("firing", StringComparison.Ordinal))
{
    // More warm-up than in the other programs, with pauses: the runtime optimises in steps in the background, and three
    // rounds were too few.
    for (var i = 0; i < 8; i++)
    {
        Run(Scale.WarmUp);
        Thread.Sleep(250);
    }
}

var measured = Run(size == "quick" ? Scale.Quick : Scale.Full);
Column[] columns =
[
    Column.Wall, Column.Cpu, Column.Bytes, Column.Early,
    Column.LateP50, Column.LateP99, Column.LateP999, Column.LateMax,
];
var figures = columns.Select(column => measured[column])
    .Select(static value => double.IsNaN(value) ? "-" : value.ToString("0.0000", CultureInfo.InvariantCulture));
Console.WriteLine($"{workload} {timers.Name} {string.Join(' ', figures)}");
return 0;

Measurement Run(Scale scale) => workload switch
{
    "schedule-cancel" => Pairs(pending: 0, scale),
    "schedule-cancel-1m" => Pairs(pending: 1_000_000, scale),
    "firing" =>
        Firing.Run(timers, wanted: 2_000_000, wantedSpreadMilliseconds: 1000, isProcessorPerSecond: false, scale),
    "firing-20k" =>
        Firing.Run(timers, wanted: 60_000, wantedSpreadMilliseconds: 3000, isProcessorPerSecond: true, scale),
    "pending-bytes" => Measurement.OfPending(1_000_000 / scale.Divisor, timers.ScheduleFar),
    "idle" => Idle(scale),
    _ => throw new ArgumentException($"no such workload: {workload}", nameof(args)),
};

// Two threads share the other timers, as in a server. They are not cancelled, because each round has its own process.
Measurement Pairs(int pending, Scale scale) => ThreadLoops.Run(threads: 2, 4_000_000 / scale.Divisor, () =>
{
    var others = timers.ScheduleFar(pending / 2);
    return pairs =>
    {
        timers.ScheduleThenCancel(pairs);
        GC.KeepAlive(others);
    };
});

// Processor time per second.
Measurement Idle(Scale scale)
{
    var others = timers.ScheduleFar(1_000_000);
    GC.Collect();
    Thread.Sleep(1000);
    var idle = Measurement.OfIdleness(TimeSpan.FromMilliseconds(scale.IdleMilliseconds));
    GC.KeepAlive(others);
    return new Measurement { [Column.Cpu] = idle[Column.CpuPerSecond] * 1e6 };
}
