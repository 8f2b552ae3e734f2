namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// A few threads, and conditions that must hold in every interleaving: a method that is marked with
/// <see cref="ScenarioAttribute"/>, or an expression in a test.
/// </summary>
/// <param name="arrange">
/// Makes objects and threads for one interleaving. It serves all interleavings, so it keeps no state.
/// </param>
/// <param name="bound">See <see cref="ScenarioAttribute.Bound"/>.</param>
internal sealed class Scenario(Action<Interleaving> arrange, int bound = 2)
{
    internal string Name => arrange.Method.Name;

    /// <summary>The folder of its source, which has the name of the core's folder that it is about.</summary>
    internal string Folder => arrange.Method.DeclaringType!.Namespace!.Split('.')[^1];

    internal int Bound => bound;

    internal void Arrange(Interleaving run) => arrange(run);
}
