namespace ScalableTimers.Compare;

/// <summary>A kind of timer and how it does a workload, once.</summary>
internal sealed record Contestant(string Name, Func<Measurement> Run);
