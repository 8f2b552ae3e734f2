namespace TransactionsDemo.Embedded;

/// <summary>A transaction's claim on an account.</summary>
internal sealed class Claim(Request request)
{
    public long Transaction => request.Transaction;

    public long Amount => request.Amount;

    public ClaimStage Stage { get; set; } = ClaimStage.Waiting;

    /// <summary>The latest call for the lock. The teller waits for this one.</summary>
    public Call? Call { get; set; }

    /// <summary>The time limit of the stage.</summary>
    public ClaimLimit? Limit { get; set; }
}
