using Orleans.Serialization;
using Orleans.Timers.Scalable.Calls;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.ProtocolFixes;

/// <summary>
/// Fails a caller's transaction when a method that it called has failed its part, even if the caller catches the
/// exception.
/// </summary>
/// <remarks>
/// Orleans records the exception that a method ends with in the transaction that its answer brings back, so a caller
/// that catches it cannot commit. But Orleans records no exception if a call that the method made has not come back,
/// because it timed out, was refused, was cancelled by a token or was not awaited. The method then ends with
/// <see cref="OrleansOrphanCallException"/>. Its caller could catch that, do something else instead, and commit it
/// together with what the method had done before.
/// </remarks>
internal sealed class TransactionalCallFilter(
    CallTimers timers, Serializer<OrleansTransactionAbortedException> serializer)
    : IIncomingGrainCallFilter
{
    public Task Invoke(IIncomingGrainCallContext context) =>
        context.Request is TransactionRequestBase { TransactionInfo: not null } && !timers.IsOff
            ? InvokeTransactional(context)
            : context.Invoke();

    private async Task InvokeTransactional(IIncomingGrainCallContext context)
    {
        await context.Invoke();
        if (context.Response is TransactionResponse response
            && response.TransactionInfo is { OriginalException: null } transaction
            && response.GetException() is { } exception)
        {
            CallTransaction.Record(transaction, exception, serializer);
        }
    }
}
