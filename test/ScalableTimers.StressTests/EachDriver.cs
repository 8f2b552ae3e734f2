namespace ScalableTimers.StressTests;

/// <summary>The cases of a test that runs with each driver.</summary>
public class EachDriver : TheoryData<TimerServiceDriver>
{
    public EachDriver() => AddRange(Enum.GetValues<TimerServiceDriver>());
}
