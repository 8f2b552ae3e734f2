namespace TransactionsDemo.Comparison;

/// <summary>Two ways to run the same work.</summary>
/// <param name="Baseline">What the other is compared with.</param>
/// <param name="Changed">The other.</param>
internal sealed record VariantPair(Variant Baseline, Variant Changed)
{
    /// <summary>Orleans' static timers as they are and served, with scalable timers otherwise.</summary>
    public static VariantPair StaticTimers { get; } = new(
        new Variant("stock", "--timers", "scalable", "--static-timers", "stock"),
        new Variant("served", "--timers", "scalable", "--static-timers", "served"));

    /// <summary>Silos without anything of the plugin, whose grains wait by .NET's timers, and silos with it.</summary>
    public static VariantPair Plugin { get; } = new(
        new Variant("Orleans alone", "--timers", "system", "--no-phases"),
        new Variant("with AddScalableTimers()", "--timers", "scalable", "--no-phases"));

    /// <summary>In the order of a round: in every other one backwards, so that none profits from its place.</summary>
    public Variant[] InOrderOf(int round) => round % 2 == 1 ? [Baseline, Changed] : [Changed, Baseline];
}
