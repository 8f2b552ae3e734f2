namespace ScalableTimers.StressTests.Soaking;

/// <summary>What a callback does besides being counted.</summary>
internal enum SoakAct
{
    Nothing,
    ScheduleAgain,
    CancelPeers,
    Block,
    Throw,
}
