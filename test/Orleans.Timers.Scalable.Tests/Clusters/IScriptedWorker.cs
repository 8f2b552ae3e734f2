namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Like <see cref="IScriptedGrain"/>, but a stateless worker: each silo has its own activation for one identity.
/// </summary>
public interface IScriptedWorker : IScriptedGrain;
