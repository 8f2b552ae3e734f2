namespace ScalableTimers.Compare.Running;

/// <summary>The measurements of all rounds of a contestant.</summary>
/// <param name="Name">The contestant.</param>
/// <param name="Against">The contestant that it is compared with; null for none.</param>
/// <param name="Rounds">The rounds in the order in which they were run.</param>
/// <param name="Ratios">
/// How many times better than <paramref name="Against"/> it was in a round, in ascending order.
/// </param>
internal sealed record ContestantResult(
    string Name, string? Against, IReadOnlyList<Measurement> Rounds, IReadOnlyList<double> Ratios)
{
    /// <summary>Gets the median ratio; NaN if it is compared with no other.</summary>
    internal double Ratio => Ratios.Count == 0 ? double.NaN : Ratios[Ratios.Count / 2];

    internal double Median(Func<Measurement, double> value) => Rounds.Select(value).Order().ElementAt(Rounds.Count / 2);
}
