namespace TransactionsDemo.Rounds;

internal static class VariantExtensions
{
    /// <summary>The name that readers see.</summary>
    public static string Title(this Variant variant) =>
        variant == Variant.Stock ? "Orleans alone" : "with AddScalableTimers()";
}
