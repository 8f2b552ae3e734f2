namespace ScalableTimers.Timers;

/// <summary>What distinguishes one kind of delay from another.</summary>
[Flags]
internal enum DelayOptions : byte
{
    None = 0,

    /// <summary>Cancellation is a result of false, not an exception.</summary>
    ReportCancellation = 1,

    /// <summary>It is not ended by <see cref="TimerService.StopAsync"/>, only by disposal.</summary>
    SurvivesStop = 2,
}
