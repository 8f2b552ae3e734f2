namespace TransactionsDemo.Load;

/// <summary>The mix of transfers.</summary>
/// <param name="Hot">The share between the few hot accounts, which many transfers need at once.</param>
/// <param name="Slow">The share that keeps an account locked for 5 to 25 milliseconds before continuing.</param>
/// <param name="Fail">The share with a fault. Nine of ten are refused, and every tenth loses an answer.</param>
internal sealed record WorkMix(double Hot, double Slow, double Fail);
