namespace ScalableTimers.Exploration.Engine;

/// <summary>A scenario that is a method of a class of related ones, or an expression in a test.</summary>
internal sealed class ScenarioMethod(Action<Interleaving> arrange, ScenarioAttribute settings) : Scenario
{
    internal ScenarioMethod(Action<Interleaving> arrange)
        : this(arrange, new ScenarioAttribute())
    {
    }

    internal override string Name => arrange.Method.Name;

    internal override string Folder => FolderOf(arrange.Method.DeclaringType!);

    internal override int Bound => settings.Bound;

    internal override TimePasses TimePasses => settings.TimePasses;

    internal override void Arrange(Interleaving run) => arrange(run);
}
