namespace TransactionsDemo.Embedded;

/// <summary>The stage of a transaction's claim on an account.</summary>
internal enum ClaimStage
{
    Waiting,
    Locked,
    Prepared,
    Ended,
}
