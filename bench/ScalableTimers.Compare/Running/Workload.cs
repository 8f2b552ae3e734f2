using ScalableTimers.Compare.Reporting;

namespace ScalableTimers.Compare.Running;

/// <summary>One question about several kinds of timers.</summary>
/// <param name="Name">The name on the command line and above the table.</param>
/// <param name="Question">What the table answers, and what it leaves out.</param>
/// <param name="ComparedBy">The column to compute ratios of.</param>
/// <param name="Contestants">
/// Creates the contestants. The first is what users have today; the others are compared with it unless they name
/// another.
/// </param>
internal sealed record Workload(
    string Name, string Question, Column ComparedBy, Func<Scale, IReadOnlyList<Contestant>> Contestants)
{
    /// <summary>Gets the maximum number of rounds that count.</summary>
    public int Rounds { get; init; } = int.MaxValue;

    /// <summary>
    /// Gets whether each round of each contestant runs in a process of its own, which warms itself up. Otherwise the
    /// first round does not count.
    /// </summary>
    public bool HasOwnProcesses { get; init; }
}
