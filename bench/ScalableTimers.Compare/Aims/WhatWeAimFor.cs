using ScalableTimers.Compare.Running;
using ScalableTimers.Compare.Workloads.Cancelling;
using ScalableTimers.Compare.Workloads.Firing;

namespace ScalableTimers.Compare.Aims;

/// <summary>The aims of those workloads that have one.</summary>
/// <remarks>Where no timer can get there, a cost within a fifth of the floor will do.</remarks>
internal static class WhatWeAimFor
{
    internal static IReadOnlyList<Aim> All { get; } =
    [
        new(
            "schedule + cancel",
            "at least 6 times faster than Timer, aim 8; 0 bytes; the same with 1,000,000 pending",
            Faster(6, "schedule-cancel", "Schedule"),
            NoBytes("schedule-cancel"),
            Faster(6, "schedule-cancel-1m", "Schedule") with { Unit = "times with 1,000,000 pending" },
            NoBytes("schedule-cancel-1m")),
        new(
            "cancelled on another thread",
            "at least 3 times faster than Timer",
            Faster(3, "cancel-elsewhere", "Schedule", floor: "empty entries")),
        new(
            "cancelled after a yield",
            "at most 0.4 of Timer's time, both without the loop's own",
            Condition.AtMost(
                0.4,
                "schedule-yield-cancel",
                static result => result.Times("Schedule", "Timer", static round => round.NetNanoseconds),
                "of the time")),
        new(
            "TryDelay with a token, cancelled",
            "at least 3 times faster than Task.Delay + cancel, net; 0 bytes net",
            Faster(3, "cancel-by-token", "TryDelay"),
            Condition.AtMost(
                0.5,
                "cancel-by-token",
                static result => result["TryDelay"].Median(static round => round.NetBytes),
                "B")),
        new(
            "Task.Delay over the TimeProvider + cancel",
            "at least 1.4 times faster than Task.Delay; fewer bytes",
            Faster(1.4, "time-provider", "Task.Delay, TimeProvider", floor: "Task.Delay, empty timers"),
            Condition.AtMost(
                0.999,
                "time-provider",
                static result => result.Times("Task.Delay, TimeProvider", "Task.Delay", static round => round.Bytes),
                "of the bytes")),
        new(
            "firing, through Schedule",
            "at most a quarter of Timer's processor time, aim for that of the fastest peer",
            Fires(4, "firing", "Schedule", OnDriverThread.Schedule),
            Fires(4, "firing-2m", "Schedule", OnDriverThread.Schedule) with
            {
                Unit = "times better at 2,000,000 a second",
            }),
        new(
            "firing, through awaited Delay",
            "at most a fifth of Task.Delay's processor time",
            Fires(5, "firing", "Delay", OnDriverThread.Delay, floor: "await alone"),
            Fires(5, "firing-2m", "Delay", OnDriverThread.Delay, floor: "await alone") with
            {
                Unit = "times better at 2,000,000 a second",
            }),
        new(
            "300,000 awaited delays in one tick",
            "at most half of Task.Delay's processor time",
            Fires(2, "delays-one-tick", "Delay", OnDriverThread.Delay, floor: "await alone")),
        new(
            "under a saturated pool",
            "p99 no later than Timer's",
            Faster(1, "saturated-pool", "Schedule", floor: "item at each tick")),
        new(
            "pending",
            "at most 72 bytes through Schedule, 128 through Delay",
            Condition.AtMost(
                72.5, "pending-bytes", static result => result["Schedule"].Median(static round => round.Bytes), "B"),
            Condition.AtMost(
                128.5, "pending-bytes", static result => result["Delay"].Median(static round => round.Bytes), "B")),
        new(
            "steady 100 ticks a second, 4 timers each",
            "at most 1.2 times the processor time of a thread that sleeps and queues an item",
            OfSchedule(
                1.2,
                "steady-ticks",
                static (result, ours) =>
                    result.Times(ours, "sleeping thread", static round => round.CpuMillisecondsPerSecond),
                "times")),
        new(
            "1,000,000 pending, idle",
            "at most 0.5 ms of processor time a second above an empty service",
            Condition.AtMost(
                0.5,
                "idle-processor",
                static result => result["Schedule"].Median(static round => round.NetCpuMillisecondsPerSecond),
                "ms")),
        new(
            "20,000 firings a second",
            "p99 at most one resolution + 2 ms late; none early; at most 60 ms of processor time a second",
            Late(12, "steady-firing"),
            NoneEarly("steady-firing"),
            OfSchedule(
                60,
                "steady-firing",
                static (result, ours) => result[ours].Median(static round => round.CpuMillisecondsPerSecond),
                "ms of processor time")),
        new(
            "2,000,000 firings in one second",
            "p99 at most 100 ms late; none early",
            Late(100, "firing-2m"),
            NoneEarly("firing-2m")),
        new(
            "scaling of schedule + cancel",
            "at least 1.9 times the throughput on 2 threads as on 1; on 64 no less than 0.8 of that on 2",
            Scaling(1.9, of: 2, to: 1),
            Scaling(0.8, of: 64, to: 2)),
        new(
            "schedule + cancel at a steady pace",
            "at least 5 times faster than Timer at 20,000 and 100,000 a second, 4 at 1,000",
            AtAPace(4, "1k", "Schedule"),
            AtAPace(5, "20k", "Schedule"),
            AtAPace(5, "100k", "Schedule")),
    ];

    private static Condition AtAPace(double times, string pace, string contestant) =>
        Faster(times, $"paced-{pace}", contestant, floor: "clock alone") with { Unit = $"times at {pace} a second" };

    private static Condition Faster(double times, string workload, string contestant, string? floor = null) =>
        Condition.AtLeast(times, workload, result => result[contestant].Ratio, "times") with
        {
            Floor = floor is null ? null : result => result[floor].Ratio,
        };

    private static Condition Fires(
        double times, string workload, string contestant, string onDriverThread, string? floor = null) =>
        Faster(times, workload, contestant, floor) with { OnDriverThread = result => result[onDriverThread].Ratio };

    private static Condition NoBytes(string workload) =>
        Condition.AtMost(0.5, workload, static result => result["Schedule"].Median(static round => round.Bytes), "B");

    private static Condition NoneEarly(string workload) =>
        OfSchedule(0, workload, static (result, ours) => result[ours].Rounds.Max(static round => round.Early), "early");

    private static Condition Late(double milliseconds, string workload) =>
        OfSchedule(
            milliseconds,
            workload,
            static (result, ours) => result[ours].Median(static round => round.LateP99),
            "ms late");

    // A figure for which less is better, with the default and with the option.
    private static Condition OfSchedule(
        double limit, string workload, Func<WorkloadResult, string, double> value, string unit) =>
        Condition.AtMost(limit, workload, result => value(result, "Schedule"), unit) with
        {
            OnDriverThread = result => value(result, OnDriverThread.Schedule),
        };

    private static Condition Scaling(double times, int of, int to) => Condition.AtLeast(
        times,
        "thread-scaling",
        result => result.Times(ThreadScaling.Ours(of), ThreadScaling.Ours(to), static round => round.PerSecond),
        $"times from {to} to {of} threads");
}
