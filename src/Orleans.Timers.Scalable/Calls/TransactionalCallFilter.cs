using Orleans.Transactions;

namespace Orleans.Timers.Scalable;

/// <summary>Sees to it that a method which failed its transaction fails that of its caller, whatever the caller does about the exception.</summary>
/// <remarks>
/// An exception that a method ends with is recorded in the transaction that its answer brings back, so a caller that catches it cannot
/// commit. Orleans records none where a call of the method has not come back: given up by a timeout, refused, cancelled by a token or not
/// awaited. The method ends with <see cref="OrleansOrphanCallException"/>; its caller catches that, does something else instead, and commits
/// both that and whatever the method had done before.
/// </remarks>
internal sealed class TransactionalCallFilter : IIncomingGrainCallFilter
{
    public Task Invoke(IIncomingGrainCallContext context) => context.Request is TransactionRequestBase { TransactionInfo: not null } ? InvokeTransactional(context) : context.Invoke();

    private static async Task InvokeTransactional(IIncomingGrainCallContext context)
    {
        await context.Invoke();
        if (context.Response is TransactionResponse { TransactionInfo: { OriginalException: null } transaction } response && response.GetException() is { } exception)
        {
            CallTransaction.Record(transaction, exception);
        }
    }
}
