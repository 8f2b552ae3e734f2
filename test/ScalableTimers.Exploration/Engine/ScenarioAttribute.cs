namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// Marks a static method that creates the objects and threads of one interleaving, and the conditions that must hold in
/// each.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class ScenarioAttribute : Attribute
{
    /// <summary>
    /// How many preemptions an ordinary run explores: one if two would take more than 40,000 interleavings, which a
    /// full run explores.
    /// </summary>
    public int Bound { get; init; } = 2;
}
