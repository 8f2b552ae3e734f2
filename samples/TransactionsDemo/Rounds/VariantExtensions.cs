namespace TransactionsDemo.Rounds;

internal static class VariantExtensions
{
    /// <summary>As readers see it.</summary>
    public static string Title(this Variant variant) =>
        variant == Variant.Stock ? "Orleans alone" : "with AddScalableTimers()";
}
