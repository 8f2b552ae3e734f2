using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Waits;

/// <summary>Creates transaction committers whose delays are told apart.</summary>
internal sealed class TransactionCommitters(
    ITransactionCommitterFactory factory, IGrainContextAccessor contexts, WorkerTokens tokens)
    : ITransactionCommitterFactory
{
    public ITransactionCommitter<TService> Create<TService>(ITransactionCommitterConfiguration config)
        where TService : class
    {
        var committer = factory.Create<TService>(config);
        tokens.GiveTo(committer, contexts.GrainContext);
        return committer;
    }
}
