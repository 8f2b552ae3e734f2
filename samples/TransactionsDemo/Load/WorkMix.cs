namespace TransactionsDemo.Load;

/// <summary>What the transfers are like.</summary>
/// <param name="Hot">Share between the few hot accounts, each of them wanted by many at once.</param>
/// <param name="Slow">Share that keep an account locked for 5 to 25 milliseconds before they go on.</param>
/// <param name="Fail">Share with a fault: nine in ten are refused, and of every tenth an answer is lost.</param>
internal sealed record WorkMix(double Hot, double Slow, double Fail);
