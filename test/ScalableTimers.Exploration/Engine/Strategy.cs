namespace ScalableTimers.Exploration.Engine;

/// <summary>Makes the decisions of interleavings, one after the other.</summary>
internal abstract class Strategy
{
    /// <summary>
    /// A description of how the interleaving differs from the one that was decided on; null if it does not.
    /// </summary>
    internal string? Mismatch { get; private protected set; }

    /// <summary>
    /// Whether it would still preempt a thread that could continue, in the rest of this interleaving.
    /// </summary>
    internal virtual bool MayPreempt => true;

    /// <summary>
    /// Whether the running thread is at a place that was learned in the last round.
    /// </summary>
    internal bool IsAtNewPlace { get; set; }

    /// <summary>
    /// Whether it enumerates all interleavings, so that the same decisions must lead to the same options each time.
    /// </summary>
    internal virtual bool IsExhaustive => false;

    /// <summary>Called before each interleaving.</summary>
    /// <returns>False if there is none left.</returns>
    internal abstract bool Begin();

    /// <summary>Called instead when the last interleaving is void and has to be run again.</summary>
    internal virtual void BeginAgain()
    {
    }

    /// <summary>Chooses the thread that runs next.</summary>
    /// <param name="options">The numbers of the threads. The one that would continue by itself comes first.</param>
    /// <param name="isPreemption">
    /// Whether choosing another thread than the first preempts a thread that could continue.
    /// </param>
    /// <param name="decision">The number of earlier decisions in this interleaving.</param>
    /// <returns>An index.</returns>
    internal abstract int ChooseThread(List<int> options, bool isPreemption, int decision);

    /// <summary>Chooses what a thread reads. It does not count as a preemption.</summary>
    internal abstract int ChooseValue(int options, int decision);
}
