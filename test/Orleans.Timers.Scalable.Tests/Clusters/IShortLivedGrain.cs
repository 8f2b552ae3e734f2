namespace Orleans.Timers.Scalable.Tests;

/// <summary>Like <see cref="IScriptedGrain"/>, but collected soon, and not reentrant.</summary>
public interface IShortLivedGrain : IScriptedGrain;
