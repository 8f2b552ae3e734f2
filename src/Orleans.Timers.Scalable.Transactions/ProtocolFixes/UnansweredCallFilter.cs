using Orleans.Timers.Scalable.Calls;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.ProtocolFixes;

/// <summary>
/// Lets a transaction's abort release the locks of a callee that has not answered: a timeout or a token has ended the
/// call, or its caller has given it up.
/// </summary>
/// <remarks>
/// Orleans aborts a transaction in participants that answers have named, so this callee would keep its locks until they
/// expire.
/// </remarks>
internal sealed class UnansweredCallFilter(CallTimers timers, LostCallees callees) : IOutgoingGrainCallFilter
{
    public Task Invoke(IOutgoingGrainCallContext context) =>
        context.Request is TransactionRequestBase { IsAmbientTransactionSuppressed: false }
            && TransactionContext.GetTransactionInfo() is { } transaction
            && !timers.IsOff
            ? InvokeTransactional(context, transaction)
            : context.Invoke();

    private async Task InvokeTransactional(IOutgoingGrainCallContext context, TransactionInfo transaction)
    {
        // A filter may repeat a call. Orleans would join an earlier answer again, as if the repeated call had sent it.
        if (context.Response is TransactionResponse)
        {
            context.Response = null;
        }

        var callee = (GrainReference)context.Grain;
        callees.Add(transaction, callee);
        var isLost = false;
        try
        {
            await context.Invoke();
        }
        catch (Exception exception) when (exception is TimeoutException or OperationCanceledException)
        {
            isLost = context.Response is not TransactionResponse;
            throw;
        }
        finally
        {
            if (!isLost)
            {
                callees.Remove(transaction, callee);
            }

            if (context.Response is TransactionResponse { TransactionInfo: { } answered })
            {
                callees.Learn(answered);
            }
        }
    }
}
