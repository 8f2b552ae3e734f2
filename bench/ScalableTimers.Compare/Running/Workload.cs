namespace ScalableTimers.Compare.Running;

/// <summary>One question about several kinds of timers.</summary>
internal abstract class Workload
{
    /// <summary>Gets the workload's name on the command line.</summary>
    internal abstract string Name { get; }

    internal abstract string Question { get; }

    /// <summary>Gets the quantity that the ratios compare, such as "wall time"; null if ratios mean nothing.</summary>
    internal abstract string? ComparedBy { get; }

    /// <summary>
    /// Gets whether ratios are of what is left without <see cref="Contestant.Without"/>. Where that is most of the
    /// cost, the rest is left to chance, and only its median tells something.
    /// </summary>
    internal virtual bool ComparesNet => true;

    /// <summary>
    /// Gets whether a round takes a second or more, however little work it does. A quick run then has fewer rounds.
    /// </summary>
    internal virtual bool IsSlow => false;

    /// <summary>
    /// Gets whether a round precedes those that count, so that code is compiled and pools are full.
    /// </summary>
    internal virtual bool IsWarmedUp => true;

    /// <summary>Gets the highest number of rounds, for a workload whose rounds take minutes.</summary>
    internal virtual int MostRounds => int.MaxValue;

    /// <summary>Gets whether waits for locks are part of the question.</summary>
    internal virtual bool CountsLockWaits => false;

    /// <summary>
    /// Creates the contestants. The first is what users have today, and the others are compared with it unless they
    /// name another one.
    /// </summary>
    internal abstract IReadOnlyList<Contestant> Contestants(Scale scale);
}
