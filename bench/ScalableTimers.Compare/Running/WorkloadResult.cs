using ScalableTimers.Compare.Reporting;

namespace ScalableTimers.Compare.Running;

/// <summary>The measurements of all rounds of all contestants of a workload.</summary>
internal sealed record WorkloadResult(Workload Workload, IReadOnlyList<ContestantResult> Contestants)
{
    internal ContestantResult this[string contestant] => Contestants.Single(result => result.Name == contestant);

    /// <summary>
    /// How many times better a contestant was than the one that it is compared with: the median over the rounds, the
    /// least and the most. Null if it is compared with none.
    /// </summary>
    internal (double Median, double Least, double Most)? Ratio(ContestantResult contestant, Column column)
    {
        // A difference that is not positive is chance, and so is a ratio of it.
        var ratios = contestant.Rounds.Zip(this[contestant.Against].Rounds)
            .Select(round => (Own: column.Value(round.First), Other: column.Value(round.Second)))
            .Where(static round => round.Own > 0 && round.Other > 0)
            .Select(round => column.IsMoreBetter ? round.Own / round.Other : round.Other / round.Own)
            .Order()
            .ToList();
        return contestant.Name == contestant.Against || ratios.Count == 0
            ? null
            : (ratios[ratios.Count / 2], ratios[0], ratios[^1]);
    }
}

/// <summary>The measurements of all rounds of a contestant.</summary>
/// <param name="Name">The contestant.</param>
/// <param name="Against">The contestant that it is compared with; itself for none.</param>
/// <param name="Rounds">In the order in which they were run.</param>
internal sealed record ContestantResult(string Name, string Against, IReadOnlyList<Measurement> Rounds)
{
    internal double Median(Column column) => Rounds.Select(column.Value).Order().ElementAt(Rounds.Count / 2);
}
