namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// A few threads, and conditions that must hold in every interleaving: a method marked with
/// <see cref="ScenarioAttribute"/>, or an expression in a test.
/// </summary>
/// <param name="arrange">
/// Creates the objects and threads of one interleaving. It runs for every interleaving, so it keeps no state.
/// </param>
/// <param name="bound">See <see cref="ScenarioAttribute.Bound"/>.</param>
internal sealed class Scenario(Action<Interleaving> arrange, int bound = 2)
{
    internal string Name => arrange.Method.Name;

    /// <summary>The folder of its source, named after the core's folder that it tests.</summary>
    internal string Folder => arrange.Method.DeclaringType!.Namespace!.Split('.')[^1];

    internal int Bound => bound;

    internal void Arrange(Interleaving run) => arrange(run);
}
