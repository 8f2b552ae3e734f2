using ScalableTimers.Compare.Reporting;

namespace ScalableTimers.Compare.Running;

/// <summary>One question about several kinds of timers.</summary>
/// <param name="Name">On the command line, and above the table.</param>
/// <param name="Question">What the table answers, and what it leaves out.</param>
/// <param name="ComparedBy">The column that ratios are of.</param>
/// <param name="Contestants">
/// Creates the contestants. The first is what users have today, and the others are compared with it unless they name
/// another one.
/// </param>
internal sealed record Workload(
    string Name, string Question, Column ComparedBy, Func<Scale, IReadOnlyList<Contestant>> Contestants)
{
    /// <summary>Gets the rounds that count, at most.</summary>
    public int Rounds { get; init; } = int.MaxValue;

    /// <summary>
    /// Gets whether each round of each contestant is a process, which warms itself up. Otherwise a round that does not
    /// count precedes the others.
    /// </summary>
    public bool HasOwnProcesses { get; init; }

    /// <summary>Gets the rows of the summary, which README shows.</summary>
    public IReadOnlyList<(string Text, string Contestant, Column Column)> Headlines { get; init; } = [];
}
