namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain that runs code of the test that calls it; see <see cref="ScriptedGrainExtensions"/>.</summary>
public interface IScriptedGrain : IGrainWithGuidKey
{
    /// <summary>Runs a script that has been left in <see cref="Scripts"/>.</summary>
    Task RunScript(Guid script);
}
