namespace ScalableTimers.Compare;

/// <summary>One question, put to several kinds of timers. The first is what users have today and all are compared with it.</summary>
internal abstract class Workload
{
    internal abstract string Name { get; }

    internal abstract string Question { get; }

    internal abstract IReadOnlyList<Contestant> Contestants(Scale scale);
}
