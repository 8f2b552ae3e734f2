namespace TransactionsDemo;

/// <summary>What the command line asks for.</summary>
/// <param name="Rounds">Of each variant.</param>
/// <param name="WarmUp">How long the bank is loaded before anything is measured.</param>
/// <param name="Duration">How long it is loaded and measured then.</param>
/// <param name="Concurrency">Transfers at a time.</param>
internal sealed record DemoSettings(int Rounds, TimeSpan WarmUp, TimeSpan Duration, int Concurrency);
