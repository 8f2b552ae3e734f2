namespace ScalableTimers.Timers;

/// <summary>What distinguishes one kind of delay from another.</summary>
[Flags]
internal enum DelayOptions : byte
{
    None = 0,

    /// <summary>Cancellation gives the result false instead of an exception.</summary>
    ReportCancellation = 1,

    /// <summary>Of what is not the caller's, only the service's disposal ends the delay.</summary>
    SurvivesStop = 2,

    /// <summary>The delay was begun after that: it waits a second at most and then ends as cancelled.</summary>
    BegunAfterStop = 4,
}
