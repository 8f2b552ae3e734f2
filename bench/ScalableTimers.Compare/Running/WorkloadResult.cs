using ScalableTimers.Compare.Reporting;

namespace ScalableTimers.Compare.Running;

/// <summary>The measurements of all contestants of a workload.</summary>
/// <param name="Workload">The workload.</param>
/// <param name="Contestants">
/// In table order. Only their names, because their objects must not stay alive during other workloads. A contestant
/// that is compared with none is its own reference.
/// </param>
/// <param name="Rounds">The measurements of each round by the names of the contestants.</param>
internal sealed record WorkloadResult(
    Workload Workload,
    IReadOnlyList<(string Name, string Against)> Contestants,
    IReadOnlyList<IReadOnlyDictionary<string, Measurement>> Rounds)
{
    internal string Against(string contestant) => Contestants.Single(one => one.Name == contestant).Against;

    internal double Median(string contestant, Column column) =>
        Middle([.. Rounds.Select(round => round[contestant][column]).Order()]);

    /// <summary>
    /// How many times better a contestant was than the one it is compared with: the median, minimum and maximum over
    /// the rounds. Null if it is compared with none.
    /// </summary>
    internal (double Median, double Least, double Most)? Ratio(string contestant, Column column)
    {
        // A difference that is not positive is noise, and so is its ratio.
        var against = Against(contestant);
        var ratios = Rounds
            .Select(round => (Own: round[contestant][column], Other: round[against][column]))
            .Where(static round => round.Own > 0 && round.Other > 0)
            .Select(round => column.IsMoreBetter ? round.Own / round.Other : round.Other / round.Own)
            .Order()
            .ToList();
        return contestant == against || ratios.Count == 0
            ? null
            : (Middle(ratios), ratios[0], ratios[^1]);
    }

    // With an even number of values there are two in the middle.
    private static double Middle(List<double> ordered) =>
        (ordered[(ordered.Count - 1) / 2] + ordered[ordered.Count / 2]) / 2;
}
