using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.Calls;

/// <summary>
/// Fails a caller's transaction when the method that it called has failed its part of it, whatever the caller does
/// about the exception.
/// </summary>
/// <remarks>
/// Orleans records the exception that a method ends with in the transaction that its answer brings back, so a caller
/// that catches it cannot commit. Orleans records no exception where a call that the method made has not come back,
/// because a timeout gave it up, or it was refused, cancelled by a token or not awaited. Then the method ends with
/// <see cref="OrleansOrphanCallException"/>. Its caller could catch that, do something else instead, and commit both
/// that and whatever the method had done before.
/// </remarks>
internal sealed class TransactionalCallFilter : IIncomingGrainCallFilter
{
    public Task Invoke(IIncomingGrainCallContext context) =>
        context.Request is TransactionRequestBase { TransactionInfo: not null }
            ? InvokeTransactional(context)
            : context.Invoke();

    private static async Task InvokeTransactional(IIncomingGrainCallContext context)
    {
        await context.Invoke();
        if (context.Response is TransactionResponse response
            && response.TransactionInfo is { OriginalException: null } transaction
            && response.GetException() is { } exception)
        {
            CallTransaction.Record(transaction, exception);
        }
    }
}
