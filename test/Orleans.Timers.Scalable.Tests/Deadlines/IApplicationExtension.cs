namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain extension that is not Orleans' own. Nobody implements it.</summary>
public interface IApplicationExtension : IGrainExtension;
