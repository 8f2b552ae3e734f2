using System.Reflection;
using System.Runtime.CompilerServices;

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
            .Select(static type => (Scenario)Activator.CreateInstance(type)!)
            .Concat(Methods)
            .OrderBy(static scenario => scenario.Name, StringComparer.Ordinal),
    ];

    private static IEnumerable<Scenario> Methods =>
        from type in typeof(Scenario).Assembly.GetTypes()
        from method in type.GetMethods(BindingFlags.Static | BindingFlags.NonPublic)
        let settings = method.GetCustomAttribute<ScenarioAttribute>()
        where settings is not null
        select new ScenarioMethod(method, settings);

    private static readonly Dictionary<string, string> s_folders = ReadFolders();

    internal static string FolderOf(string name) => s_folders.GetValueOrDefault(name, "");

    internal static Scenario Find(string name) => All.Single(scenario => scenario.Name == name);

    private static Dictionary<string, string> ReadFolders([CallerFilePath] string file = "")
    {
        var scenarios = new DirectoryInfo(Path.Combine(Path.GetDirectoryName(file)!, "..", "Scenarios"));
        return scenarios.Exists
            ? scenarios.GetFiles("*.cs", SearchOption.AllDirectories).ToDictionary(
                static source => Path.GetFileNameWithoutExtension(source.Name),
                static source => source.Directory!.Name)
            : [];
    }

    private static bool IsAmongScenarios(string? name) =>
        name is "ScalableTimers.Exploration.Scenarios"
            || name?.StartsWith("ScalableTimers.Exploration.Scenarios.", StringComparison.Ordinal) == true;
}
