using TransactionsDemo.Timers;

namespace TransactionsDemo.Embedded;

/// <summary>Who holds an account, and who waits for it. Each stage of a claim has a time limit.</summary>
internal sealed class ClaimQueue(AccountActor account, DemoTimers timers)
{
    // This is a list although claims leave at its front. It is rarely longer than one, and expired claims leave from
    // the middle.
    private readonly List<Claim> _waiting = [];

    public Claim? Holder { get; private set; }

    public Claim? Find(long transaction) => Holder?.Transaction == transaction
        ? Holder
        : _waiting.Find(claim => claim.Transaction == transaction);

    public void Wait(Claim claim)
    {
        _waiting.Add(claim);
        Enter(claim, ClaimStage.Waiting, Limits.LockWait);
    }

    public void Lock(Claim claim)
    {
        Holder = claim;
        Enter(claim, ClaimStage.Locked, Limits.LockHold);
    }

    public void Prepare(Claim claim) => Enter(claim, ClaimStage.Prepared, Limits.Decision);

    /// <summary>Takes out the claim that has waited longest. It still has to be locked or to be ended.</summary>
    public Claim? TakeNext()
    {
        if (_waiting.Count == 0)
        {
            return null;
        }

        var next = _waiting[0];
        _waiting.RemoveAt(0);
        return next;
    }

    public void End(Claim claim)
    {
        if (claim == Holder)
        {
            Holder = null;
        }
        else
        {
            _waiting.Remove(claim);
        }

        EndStage(claim);
    }

    private void Enter(Claim claim, ClaimStage stage, TimeSpan limit)
    {
        EndStage(claim);
        claim.Stage = stage;
        claim.Limit = new ClaimLimit(account, claim);
        timers.Start(claim.Limit, limit);
    }

    private void EndStage(Claim claim)
    {
        claim.Stage = ClaimStage.Ended;
        if (claim.Limit is not null)
        {
            timers.TryEndInTime(claim.Limit);
        }
    }
}
