using System.Reflection;

namespace ScalableTimers.Exploration.Engine;

/// <summary>All scenarios.</summary>
internal static class ScenarioCatalog
{
    internal static IReadOnlyList<Scenario> All { get; } =
    [
        .. Methods.OrderBy(static scenario => scenario.Name, StringComparer.Ordinal),
    ];

    private static IEnumerable<Scenario> Methods =>
        from type in typeof(Scenario).Assembly.GetTypes()
        from method in type.GetMethods(BindingFlags.Static | BindingFlags.NonPublic)
        let settings = method.GetCustomAttribute<ScenarioAttribute>()
        where settings is not null
        select new Scenario(method.CreateDelegate<Action<Interleaving>>(), settings.Bound);

    internal static Scenario Find(string name) => All.Single(scenario => scenario.Name == name);
}
