namespace ScalableTimers.Exploration.Engine;

/// <summary>What a scenario throws when it sees what must not be.</summary>
internal sealed class ScenarioFailedException(string message) : Exception(message);
