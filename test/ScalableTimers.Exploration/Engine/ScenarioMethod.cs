using System.Reflection;

namespace ScalableTimers.Exploration.Engine;

/// <summary>A scenario that is a method of a class of related ones.</summary>
internal sealed class ScenarioMethod(MethodInfo method, ScenarioAttribute settings) : Scenario
{
    private readonly Action<Interleaving> _arrange = method.CreateDelegate<Action<Interleaving>>();

    internal override string Name => method.Name;

    internal override string Folder => method.DeclaringType!.Namespace!.Split('.')[^1];

    internal override int Bound => settings.Bound;

    internal override TimePasses TimePasses => settings.TimePasses;

    internal override void Arrange(Interleaving run) => _arrange(run);
}
