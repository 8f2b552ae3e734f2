namespace ScalableTimers.Exploration.Engine;

/// <summary>Makes the decisions of interleavings, one after the other.</summary>
internal abstract class Strategy
{
    /// <summary>
    /// Whether it would still preempt a thread that could continue, in the rest of this interleaving.
    /// </summary>
    internal virtual bool MayPreempt => true;

    /// <summary>Called before each interleaving.</summary>
    /// <returns>False if there is none left.</returns>
    internal abstract bool Begin();

    /// <summary>Called instead when the last interleaving is void and has to be run again.</summary>
    internal virtual void BeginAgain()
    {
    }

    /// <summary>
    /// Called when there will be decisions where there were none: begins with the first interleaving.
    /// </summary>
    internal virtual void StartOver()
    {
    }

    /// <summary>Chooses what happens next.</summary>
    /// <param name="options">
    /// How many options there are. The first is what the running thread would do by itself.
    /// </param>
    /// <param name="isPreemption">Whether any other option preempts a thread that could continue.</param>
    /// <param name="decision">The number of earlier decisions in this interleaving.</param>
    /// <returns>
    /// The option's index. One that does not exist means that this cannot be the planned interleaving.
    /// </returns>
    internal abstract int Choose(int options, bool isPreemption, int decision);
}
