namespace Orleans.Timers.Scalable.Tests;

/// <summary>As <see cref="IScriptedGrain"/>, but collected soon, and closed to other calls while one runs.</summary>
public interface IShortLivedGrain : IScriptedGrain;
