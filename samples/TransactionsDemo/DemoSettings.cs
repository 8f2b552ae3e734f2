namespace TransactionsDemo;

/// <summary>The settings from the command line.</summary>
/// <param name="Rounds">The number of rounds of each variant.</param>
/// <param name="WarmUp">How long the bank is under load before anything is measured.</param>
/// <param name="Duration">How long it is then under load and measured.</param>
/// <param name="Concurrency">The number of concurrent transfers.</param>
internal sealed record DemoSettings(int Rounds, TimeSpan WarmUp, TimeSpan Duration, int Concurrency);
