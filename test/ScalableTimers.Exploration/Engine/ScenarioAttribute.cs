namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// Marks a static method that makes the objects and threads of one interleaving, and the conditions that must hold in
/// each.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class ScenarioAttribute : Attribute
{
    /// <summary>
    /// How many preemptions the ordinary run explores. It is one if two would take more than 40,000 interleavings. The
    /// full length explores those.
    /// </summary>
    public int Bound { get; init; } = 2;
}
