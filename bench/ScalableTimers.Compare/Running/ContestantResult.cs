namespace ScalableTimers.Compare.Running;

/// <summary>What all rounds of a contestant took.</summary>
/// <param name="Name">The contestant.</param>
/// <param name="Against">What it is compared with; null for nothing.</param>
/// <param name="Rounds">In the order they were run in.</param>
/// <param name="Ratios">
/// How many times better than <paramref name="Against"/> it was in a round, in ascending order.
/// </param>
internal sealed record ContestantResult(
    string Name, string? Against, IReadOnlyList<Measurement> Rounds, IReadOnlyList<double> Ratios)
{
    /// <summary>Gets the median ratio; not a number when it is compared with nothing.</summary>
    internal double Ratio => Ratios.Count == 0 ? double.NaN : Ratios[Ratios.Count / 2];

    internal double Median(Func<Measurement, double> value) => Rounds.Select(value).Order().ElementAt(Rounds.Count / 2);
}
