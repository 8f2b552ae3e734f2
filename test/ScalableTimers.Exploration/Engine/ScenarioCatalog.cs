using System.Reflection;

namespace ScalableTimers.Exploration.Engine;

/// <summary>All scenarios: the classes with a constructor that needs nothing, and the marked methods.</summary>
internal static class ScenarioCatalog
{
    internal static IReadOnlyList<Scenario> All { get; } =
    [
        .. Classes.Concat(Methods).OrderBy(static scenario => scenario.Name, StringComparer.Ordinal),
    ];

    private static IEnumerable<Scenario> Classes =>
        from type in typeof(Scenario).Assembly.GetTypes()
        where type.IsSubclassOf(typeof(Scenario)) && type.GetConstructor(Type.EmptyTypes) is not null
        select (Scenario)Activator.CreateInstance(type)!;

    private static IEnumerable<Scenario> Methods =>
        from type in typeof(Scenario).Assembly.GetTypes()
        from method in type.GetMethods(BindingFlags.Static | BindingFlags.NonPublic)
        let settings = method.GetCustomAttribute<ScenarioAttribute>()
        where settings is not null
        select new ScenarioMethod(method.CreateDelegate<Action<Interleaving>>(), settings);

    internal static Scenario Find(string name) => All.Single(scenario => scenario.Name == name);
}
