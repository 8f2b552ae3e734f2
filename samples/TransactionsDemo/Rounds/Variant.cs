namespace TransactionsDemo.Rounds;

/// <summary>The compared variants.</summary>
internal enum Variant
{
    Stock,
    Scalable,
}
