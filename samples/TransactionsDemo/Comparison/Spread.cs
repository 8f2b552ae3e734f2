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

    /// <summary>How two relate: the ratio of the medians, and the range of the ratios of single rounds.</summary>
    public static Spread Ratio(IReadOnlyList<double> changed, IReadOnlyList<double> baseline)
    {
        var ratios = Of(changed.Zip(baseline, static (first, second) => first / second));
        return ratios with { Median = Of(changed).Median / Of(baseline).Median };
    }
}
