namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// As <see cref="IScriptedGrain"/>, but a stateless worker: under one identity each silo has an activation of its own.
/// </summary>
public interface IScriptedWorker : IScriptedGrain;
