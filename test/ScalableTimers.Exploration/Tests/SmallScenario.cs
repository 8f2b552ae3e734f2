using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Tests;

/// <summary>A scenario with which the engine is tested.</summary>
/// <param name="Scenario">The scenario.</param>
/// <param name="Failure">How its failure begins, which two preemptions show; null if there is none.</param>
/// <param name="NeedsStoreBuffers">Whether it fails with store buffers only.</param>
internal sealed record SmallScenario(Scenario Scenario, string? Failure = null, bool NeedsStoreBuffers = false);
