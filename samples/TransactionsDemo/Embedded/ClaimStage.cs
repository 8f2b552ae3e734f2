namespace TransactionsDemo.Embedded;

/// <summary>How far a transaction has come with an account.</summary>
internal enum ClaimStage
{
    Waiting,
    Locked,
    Prepared,
    Ended,
}
