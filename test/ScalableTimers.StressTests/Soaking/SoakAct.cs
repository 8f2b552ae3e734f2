namespace ScalableTimers.StressTests.Soaking;

/// <summary>The action of a callback besides being counted.</summary>
internal enum SoakAct
{
    Nothing,
    ScheduleAgain,
    CancelPeers,
    Block,
    Throw,
}
