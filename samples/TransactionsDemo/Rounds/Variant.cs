namespace TransactionsDemo.Rounds;

/// <summary>What is compared.</summary>
internal enum Variant
{
    Stock,
    Scalable,
}
