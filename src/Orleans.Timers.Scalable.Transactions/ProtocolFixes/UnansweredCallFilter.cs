using System.Collections.Concurrent;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.ProtocolFixes;

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
    private readonly ConcurrentDictionary<(GrainType Type, string Name), bool> _states = new();

    public Task Invoke(IOutgoingGrainCallContext context) =>
        context.Request is TransactionRequestBase { IsAmbientTransactionSuppressed: false }
            && TransactionContext.GetTransactionInfo() is { } transaction
            ? InvokeTransactional(context, transaction)
            : context.Invoke();

    private async Task InvokeTransactional(IOutgoingGrainCallContext context, TransactionInfo transaction)
    {
        // A filter may repeat a call. Orleans would join an earlier answer again, as if the repeated call had sent it.
        if (context.Response is TransactionResponse)
        {
            context.Response = null;
        }

        try
        {
            await context.Invoke();
            if (context.Response is TransactionResponse { TransactionInfo: { } answered })
            {
                foreach (var state in answered.Participants.Keys.Where(ParticipantRoleExtensions.IsResource))
                {
                    _states.GetOrAdd((state.Reference.GrainId.Type, state.Name), true);
                }
            }
        }
        catch (Exception exception) when (
            exception is TimeoutException or OperationCanceledException && context.Response is not TransactionResponse)
        {
            foreach (var ((_, state), _) in _states.Where(each => each.Key.Type == context.TargetId.Type))
            {
                LostCallees.Add(transaction, (GrainReference)context.Grain, state);
            }

            throw;
        }
    }
}
