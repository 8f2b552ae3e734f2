namespace TransactionsDemo.Comparison;

/// <summary>The median of some rounds, and the least and the most of them. NaN without any.</summary>
internal readonly record struct Spread(double Median, double Min, double Max)
{
    public static Spread Of(IEnumerable<double> values)
    {
        var sorted = values.Where(double.IsFinite).Order().ToList();
        return sorted.Count == 0
            ? new Spread(double.NaN, double.NaN, double.NaN)
            : new Spread((sorted[(sorted.Count - 1) / 2] + sorted[sorted.Count / 2]) / 2, sorted[0], sorted[^1]);
    }

    /// <summary>How two relate: the ratios of the rounds, whose figures are in the order of the rounds.</summary>
    public static Spread Ratio(IReadOnlyList<double> changed, IReadOnlyList<double> baseline) =>
        Of(changed.Zip(baseline, static (first, second) => first / second));
}
