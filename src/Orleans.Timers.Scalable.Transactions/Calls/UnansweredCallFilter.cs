using System.Collections.Concurrent;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.Calls;

/// <summary>
/// Lets a transaction's abort release the locks of a callee when a response timeout of Orleans or a token has ended the
/// call.
/// </summary>
/// <remarks>
/// Orleans aborts a transaction in participants that answers have named, so this callee would keep its locks until they
/// expire. Answers of other grains of its type have told what its states are called.
/// </remarks>
internal sealed class UnansweredCallFilter : IOutgoingGrainCallFilter
{
    private readonly ConcurrentDictionary<(GrainType Type, string Name), ParticipantId> _states = new();

    public Task Invoke(IOutgoingGrainCallContext context) =>
        context.Request is TransactionRequestBase request && TransactionContext.GetTransactionInfo() is { } transaction
            ? InvokeTransactional(context, request, transaction)
            : context.Invoke();

    private async Task InvokeTransactional(
        IOutgoingGrainCallContext context, TransactionRequestBase request, TransactionInfo transaction)
    {
        // A filter may repeat a call. Orleans would join an earlier answer again, as if the repeated call had sent it.
        if (context.Response is TransactionResponse)
        {
            context.Response = null;
        }

        var earlier = request.TransactionInfo;
        var call = context.Invoke();
        var sent = request.TransactionInfo;
        try
        {
            await call;
            if (context.Response is TransactionResponse { TransactionInfo: { } answered })
            {
                foreach (var state in answered.Participants.Keys)
                {
                    _states.GetOrAdd((state.Reference.GrainId.Type, state.Name), state);
                }
            }
        }
        catch (Exception exception) when (
            exception is TimeoutException or OperationCanceledException && context.Response is not TransactionResponse)
        {
            // A request that was sent has a new fork of the transaction, unless a callee in this silo has disposed it.
            if ((sent != earlier ? sent : request.TransactionInfo) is { } fork && fork != earlier)
            {
                var states = _states.Where(state => state.Key.Type == context.TargetId.Type);
                LostCallees.Add(transaction, (GrainReference)context.Grain, states.Select(static state => state.Value));
            }

            throw;
        }
    }
}
