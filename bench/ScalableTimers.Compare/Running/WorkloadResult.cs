namespace ScalableTimers.Compare.Running;

/// <summary>The measurements of all rounds of all contestants of a workload.</summary>
internal sealed record WorkloadResult(Workload Workload, IReadOnlyList<ContestantResult> Contestants)
{
    internal ContestantResult this[string contestant] => Contestants.Single(result => result.Name == contestant);

    /// <summary>
    /// The median over the rounds of how many times greater a value of one contestant is than that of another.
    /// </summary>
    internal double Times(string contestant, string other, Func<Measurement, double> value) =>
        this[contestant].Rounds.Zip(this[other].Rounds, (one, two) => value(one) / value(two))
            .Order()
            .ElementAt(this[other].Rounds.Count / 2);
}
