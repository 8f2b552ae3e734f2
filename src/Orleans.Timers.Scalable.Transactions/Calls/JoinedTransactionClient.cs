using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.Calls;

/// <summary>Fails a transaction that joined code has left calls of unanswered.</summary>
/// <remarks>
/// Orleans fails a method with such calls, but where RunTransaction joins a transaction, it forgets them. If one was
/// lost after that, its callee would be told of an abort that does not come.
/// </remarks>
internal sealed class JoinedTransactionClient(ITransactionClient client) : ITransactionClient
{
    public Task RunTransaction(TransactionOption transactionOption, Func<Task> transactionDelegate) =>
        RunTransaction(transactionOption, transactionDelegate, useExclusiveLock: false);

    public Task RunTransaction(TransactionOption transactionOption, Func<Task<bool>> transactionDelegate) =>
        RunTransaction(transactionOption, transactionDelegate, useExclusiveLock: false);

    public Task RunTransaction(
        TransactionOption transactionOption, Func<Task> transactionDelegate, bool useExclusiveLock)
    {
        ArgumentNullException.ThrowIfNull(transactionDelegate);
        return RunTransaction(
            transactionOption,
            async () =>
            {
                await transactionDelegate();
                return true;
            },
            useExclusiveLock);
    }

    public async Task RunTransaction(
        TransactionOption transactionOption, Func<Task<bool>> transactionDelegate, bool useExclusiveLock)
    {
        ArgumentNullException.ThrowIfNull(transactionDelegate);
        var outer = TransactionContext.GetTransactionInfo();
        var joined = outer;
        await client.RunTransaction(
            transactionOption,
            () =>
            {
                joined = TransactionContext.GetTransactionInfo();
                return transactionDelegate();
            },
            useExclusiveLock);
        if (outer is not null && joined is { PendingCalls: not 0 } && joined != outer
            && joined.TransactionId == outer.TransactionId)
        {
            CallTransaction.Record(outer, new OrleansOrphanCallException(joined.Id, joined.PendingCalls));
        }
    }
}
