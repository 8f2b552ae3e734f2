namespace ScalableTimers.Exploration.Engine;

/// <summary>Unwinds a logical thread whose interleaving is over.</summary>
internal sealed class InterleavingEndedException : Exception;
