namespace TransactionsDemo.Embedded;

/// <summary>
/// Decides whether a transaction commits. The first request decides. A transaction that an account inquires about
/// before its teller has committed it is aborted for good (presumed abort). So an account that has lost its teller can
/// always continue.
/// </summary>
internal sealed class DecisionLog(ActorSystem system) : Actor(system)
{
    private readonly Dictionary<long, Answer> _decisions = [];
    private long _committed;

    /// <summary>How many transactions have been committed.</summary>
    public Task<long> CountCommittedAsync() => RunAsync(() => Task.FromResult(_committed));

    protected override void Receive(object message)
    {
        switch (message)
        {
            case Call { Request.Kind: RequestKind.Decide } call:
                call.Reply(Decide(call.Request.Transaction, Answer.Committed));
                break;
            case Call { Request.Kind: RequestKind.Inquire } call:
                call.Reply(Decide(call.Request.Transaction, Answer.Aborted));
                break;
            case Request { Kind: RequestKind.Forget } request:
                _decisions.Remove(request.Transaction);
                break;
            default:
                throw new InvalidOperationException($"The decision log cannot handle {message}.");
        }
    }

    private Answer Decide(long transaction, Answer proposal)
    {
        if (_decisions.TryAdd(transaction, proposal))
        {
            _committed += proposal == Answer.Committed ? 1 : 0;
            return proposal;
        }

        return _decisions[transaction];
    }
}
