namespace ScalableTimers.Exploration.Engine;

/// <summary>Makes the decisions of interleavings, one after another.</summary>
internal abstract class Strategy
{
    /// <summary>
    /// Whether it may still preempt a thread in the rest of this interleaving.
    /// </summary>
    internal virtual bool MayPreempt => true;

    /// <summary>Called before each interleaving.</summary>
    /// <returns>False if there is none left.</returns>
    internal abstract bool Begin();

    /// <summary>Called instead if the last interleaving is void and must run again.</summary>
    internal virtual void BeginAgain()
    {
    }

    /// <summary>
    /// Called when new decisions appear: starts again with the first interleaving.
    /// </summary>
    internal virtual void StartOver()
    {
    }

    /// <summary>Chooses what happens next.</summary>
    /// <param name="options">The number of options. The first is what the running thread does by default.</param>
    /// <param name="isPreemption">Whether any other option preempts a thread that could continue.</param>
    /// <param name="decision">The number of earlier decisions in this interleaving.</param>
    /// <returns>
    /// The option's index. An index out of range means that this cannot be the planned interleaving.
    /// </returns>
    internal abstract int Choose(int options, bool isPreemption, int decision);
}
