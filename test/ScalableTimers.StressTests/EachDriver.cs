namespace ScalableTimers.StressTests;

/// <summary>The cases of a test that runs with each driver.</summary>
public class EachDriver : TheoryData<DriverChoice>
{
    public EachDriver() => AddRange(Enum.GetValues<DriverChoice>());
}
