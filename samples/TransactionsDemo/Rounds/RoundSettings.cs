namespace TransactionsDemo.Rounds;

/// <summary>What a round does.</summary>
/// <param name="Variant">Of what is compared.</param>
/// <param name="Number">From 1.</param>
/// <param name="Concurrency">Transfers at a time.</param>
/// <param name="WarmUp">How long the bank is loaded before anything is measured.</param>
/// <param name="Duration">How long it is loaded and measured then.</param>
internal sealed record RoundSettings(
    Variant Variant, int Number, int Concurrency, TimeSpan WarmUp, TimeSpan Duration);
