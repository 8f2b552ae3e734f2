namespace ScalableTimers.Exploration.Engine;

/// <summary>All scenarios of the namespace Scenarios.</summary>
internal static class ScenarioCatalog
{
    internal static IReadOnlyList<Scenario> All { get; } =
    [
        .. typeof(Scenario).Assembly.GetTypes()
            .Where(static type => type is { IsAbstract: false, Namespace: "ScalableTimers.Exploration.Scenarios" } && type.IsAssignableTo(typeof(Scenario)))
            .OrderBy(static type => type.Name, StringComparer.Ordinal)
            .Select(static type => (Scenario)Activator.CreateInstance(type)!),
    ];

    internal static Scenario Find(string name) => All.Single(scenario => scenario.Name == name);
}
