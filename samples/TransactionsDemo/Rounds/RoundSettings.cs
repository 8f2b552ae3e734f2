namespace TransactionsDemo.Rounds;

/// <summary>The settings of a round.</summary>
/// <param name="Variant">The variant to run.</param>
/// <param name="Number">From 1.</param>
/// <param name="Concurrency">The number of concurrent transfers.</param>
/// <param name="WarmUp">How long the bank is under load before anything is measured.</param>
/// <param name="Duration">How long it is then under load and measured.</param>
internal sealed record RoundSettings(
    Variant Variant, int Number, int Concurrency, TimeSpan WarmUp, TimeSpan Duration);
