namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain that runs scripts one at a time, and whose callers wait briefly.</summary>
public interface IDiagnosedGrain : IScriptedGrain
{
    [ResponseTimeout("00:00:01.5")]
    Task RunInTime(Guid script);

    /// <summary>Unlike <see cref="RunInTime"/> in its name only.</summary>
    [ResponseTimeout("00:00:01.5")]
    Task RunLong(Guid script);

    Task<int> Echo(int value);
}
