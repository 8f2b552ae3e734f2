namespace ScalableTimers.Exploration.Engine;

/// <summary>Makes the decisions of interleavings, one after the other.</summary>
internal abstract class Strategy
{
    /// <summary>What shows that the interleaving is not the one that was decided on, if it is not.</summary>
    internal string? Mismatch { get; private protected set; }

    /// <summary>
    /// Whether it would ever take the processor from a thread that could go on, in the rest of this interleaving.
    /// </summary>
    internal virtual bool MayPreempt => true;

    /// <summary>
    /// Whether the running thread is at a place that was learned to be one for decisions in the last round.
    /// </summary>
    internal bool IsAtNewPlace { get; set; }

    /// <summary>
    /// Whether it goes through all that there is, so that the decisions must be the same in each interleaving.
    /// </summary>
    internal virtual bool IsExhaustive => false;

    /// <summary>Called before each interleaving.</summary>
    /// <returns>False if there is none left.</returns>
    internal abstract bool Begin();

    /// <summary>Called instead when the last interleaving is void and is to be run once more.</summary>
    internal virtual void BeginAgain()
    {
    }

    /// <summary>Chooses one of several threads to go on.</summary>
    /// <param name="options">Their numbers; the one that would go on by itself comes first.</param>
    /// <param name="isPreemption">
    /// Whether choosing another than the first takes the processor from a thread that could go on.
    /// </param>
    /// <param name="decision">How many decisions came before, in this interleaving.</param>
    /// <returns>An index.</returns>
    internal abstract int ChooseThread(List<int> options, bool isPreemption, int decision);

    /// <summary>Chooses what a thread finds; costs nothing.</summary>
    internal abstract int ChooseValue(int options, int decision);
}
