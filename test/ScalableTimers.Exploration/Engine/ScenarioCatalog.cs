namespace ScalableTimers.Exploration.Engine;

/// <summary>All scenarios of the namespace Scenarios and those in it.</summary>
internal static class ScenarioCatalog
{
    internal static IReadOnlyList<Scenario> All { get; } =
    [
        .. typeof(Scenario).Assembly.GetTypes()
            .Where(
                static type =>
                    !type.IsAbstract && type.IsAssignableTo(typeof(Scenario)) && IsAmongScenarios(type.Namespace))
            .OrderBy(static type => type.Name, StringComparer.Ordinal)
            .Select(static type => (Scenario)Activator.CreateInstance(type)!),
    ];

    internal static Scenario Find(string name) => All.Single(scenario => scenario.Name == name);

    private static bool IsAmongScenarios(string? name) =>
        name is "ScalableTimers.Exploration.Scenarios"
            || name?.StartsWith("ScalableTimers.Exploration.Scenarios.", StringComparison.Ordinal) == true;
}
