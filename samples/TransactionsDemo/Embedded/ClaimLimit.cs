using TransactionsDemo.Timers;

namespace TransactionsDemo.Embedded;

/// <summary>
/// How long a claim may stay at a stage. The account receives it as a message, perhaps when the claim is at another
/// stage already.
/// </summary>
internal sealed class ClaimLimit(AccountActor account, Claim claim) : TimedOperation
{
    public Claim Claim => claim;

    public ClaimStage Stage { get; } = claim.Stage;

    protected override void OnTimeout() => account.Post(this);
}
