namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// A few threads and what must be true of them, whatever the interleaving. One object serves all interleavings, so it
/// keeps no state.
/// </summary>
internal abstract class Scenario
{
    internal string Name => GetType().Name;

    /// <summary>
    /// How many preemptions the ordinary run explores. One where two take more than 40,000 interleavings; full length
    /// has those.
    /// </summary>
    internal virtual int Bound => 2;

    /// <summary>When the clock goes on by itself.</summary>
    internal virtual TimePasses TimePasses => TimePasses.WhenNothingElseCan;

    /// <summary>How many operations are too many: some thread does not get on.</summary>
    internal virtual int MaxSteps => 5_000;

    /// <summary>Makes objects and threads for one interleaving.</summary>
    internal abstract void Arrange(Interleaving run);
}
