namespace ScalableTimers.Exploration.Engine;

/// <summary>Makes the decisions of interleavings, one after the other.</summary>
internal abstract class Strategy
{
    /// <summary>Called before each interleaving.</summary>
    /// <returns>False if there is none left.</returns>
    internal abstract bool Begin();

    /// <summary>Called instead when the last interleaving is void and is to be run once more.</summary>
    internal virtual void BeginAgain()
    {
    }

    /// <summary>Chooses one of several threads to go on.</summary>
    /// <param name="options">Their numbers; the one that would go on by itself comes first.</param>
    /// <param name="isPreemption">Whether choosing another than the first takes the processor from a thread that could go on.</param>
    /// <returns>An index.</returns>
    internal abstract int ChooseThread(List<int> options, bool isPreemption);

    /// <summary>Chooses what a thread finds; costs nothing.</summary>
    internal abstract int ChooseValue(int options);
}
