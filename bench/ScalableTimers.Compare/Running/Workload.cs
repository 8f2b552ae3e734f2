namespace ScalableTimers.Compare.Running;

/// <summary>One question, put to several kinds of timers.</summary>
internal abstract class Workload
{
    /// <summary>Gets what the workload is called on the command line.</summary>
    internal abstract string Name { get; }

    internal abstract string Question { get; }

    /// <summary>Gets what the ratios compare, such as "wall time"; null where ratios mean nothing.</summary>
    internal abstract string? ComparedBy { get; }

    /// <summary>
    /// Gets whether a round takes a second or more however little is done in it, so that a quick run has fewer of them.
    /// </summary>
    internal virtual bool IsSlow => false;

    /// <summary>
    /// Gets whether a round goes before those that count, so that code is compiled and pools are full.
    /// </summary>
    internal virtual bool IsWarmedUp => true;

    /// <summary>Gets how many rounds there are at most, for a workload whose rounds take minutes.</summary>
    internal virtual int MostRounds => int.MaxValue;

    /// <summary>
    /// Makes those who take part. The first is what users have today, and the others are compared with it unless they
    /// say otherwise.
    /// </summary>
    internal abstract IReadOnlyList<Contestant> Contestants(Scale scale);
}
