namespace ScalableTimers.Exploration.Engine;

/// <summary>The exception of a scenario that has found a failure.</summary>
internal sealed class ScenarioFailedException(string message) : Exception(message)
{
    // The message is enough, and the report shows the steps.
    public override string ToString() => Message;
}
