namespace ScalableTimers.StressTests;

/// <summary>The cases of a test that is run with each driver.</summary>
public class EachDriver : TheoryData<DriverChoice>
{
    public EachDriver() => AddRange(Enum.GetValues<DriverChoice>());
}
