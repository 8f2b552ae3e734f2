namespace ScalableTimers.Compare.Aims;

/// <summary>What the default set of workloads ought to show.</summary>
internal static class WhatWeAimFor
{
    internal static IReadOnlyList<Aim> All { get; } =
    [
        new(
            "schedule + cancel",
            "6 times faster than Timer, aim 8; 0 bytes; the same with 1,000,000 pending",
            Condition.AtLeast(6, "schedule-cancel", static result => result["Schedule"].Ratio, "times"),
            Condition.AtMost(0.5, "schedule-cancel", static result => result["Schedule"].Median(static round => round.Bytes), "B"),
            Condition.AtLeast(6, "schedule-cancel-1m", static result => result["Schedule"].Ratio, "times with 1,000,000 pending"),
            Condition.AtMost(0.5, "schedule-cancel-1m", static result => result["Schedule"].Median(static round => round.Bytes), "B")),
    ];
}
