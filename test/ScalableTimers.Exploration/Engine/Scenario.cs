namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// A few threads, and conditions that must hold in every interleaving. One object serves all interleavings, so it keeps
/// no state.
/// </summary>
internal abstract class Scenario
{
    internal virtual string Name => GetType().Name;

    /// <summary>The folder of its source, which has the name of the core's folder that it is about.</summary>
    internal virtual string Folder => FolderOf(GetType());

    /// <summary>
    /// How many preemptions the ordinary run explores. It is one if two would take more than 40,000 interleavings. The
    /// full length explores those.
    /// </summary>
    internal virtual int Bound => 2;

    /// <summary>When the clock advances by itself.</summary>
    internal virtual TimePasses TimePasses => TimePasses.WhenNothingElseCan;

    /// <summary>Makes objects and threads for one interleaving.</summary>
    internal abstract void Arrange(Interleaving run);

    private protected static string FolderOf(Type type) => type.Namespace!.Split('.')[^1];
}
