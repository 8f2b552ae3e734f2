using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Transactions.Calls;

/// <summary>Releases the locks of a callee that Orleans' response timeout or a token has ended a call to.</summary>
/// <remarks>
/// Orleans aborts a transaction in participants that answers have named, so this callee would keep its locks until they
/// expire. Answers of other grains of its type have told what its states are called.
/// </remarks>
internal sealed class UnansweredCallFilter(TimerService timers, IServiceProvider services) : IOutgoingGrainCallFilter
{
    /// <summary>Enough for a silo to handle all messages that it has received during a pause.</summary>
    private static readonly TimeSpan s_backlog = TimeSpan.FromSeconds(1);

    private readonly ConcurrentDictionary<(GrainType Type, string Name), bool> _states = new();

    public Task Invoke(IOutgoingGrainCallContext context) =>
        context.Request is TransactionRequestBase request ? InvokeTransactional(context, request) : context.Invoke();

    private async Task InvokeTransactional(IOutgoingGrainCallContext context, TransactionRequestBase request)
    {
        // A filter may repeat a call. Orleans would join an earlier answer again, as if the repeated call had sent it.
        if (context.Response is TransactionResponse)
        {
            context.Response = null;
        }

        var call = context.Invoke();
        var sent = request.TransactionInfo;
        try
        {
            await call;
            if (context.Response is TransactionResponse { TransactionInfo: { } answered })
            {
                foreach (var state in answered.Participants.Keys)
                {
                    _states.GetOrAdd((state.Reference.GrainId.Type, state.Name), true);
                }
            }
        }
        catch (Exception exception) when (
            exception is TimeoutException or OperationCanceledException && context.Response is not TransactionResponse)
        {
            // A sent request has a fork of the transaction, unless a callee in this silo has disposed it. While the
            // fork has not come back, the transaction cannot commit. Otherwise the abort could undo a part of it.
            if ((sent ?? request.TransactionInfo) is { TransactionId: var id }
                && TransactionContext.GetTransactionInfo() is { } transaction)
            {
                CallTransaction.Record(transaction, exception);
                if (services.GetService<ITransactionClient>() is not JoinedTransactionClient)
                {
                    throw;
                }

                var callee = ((IAddressable)context.Grain!).AsReference<ITransactionalResourceExtension>();
                foreach (var (_, name) in _states.Keys.Where(state => state.Type == context.TargetId.Type))
                {
                    Abort(callee, name, id).Ignore();
                }
            }

            throw;
        }
    }

    /// <remarks>
    /// A silo handles the last of many messages first, so an abort that it answers may have overtaken the request. One
    /// more comes after the backlog. If that is lost, the locks expire.
    /// </remarks>
    private async Task Abort(ITransactionalResourceExtension callee, string state, Guid transaction)
    {
        Task abort;
        var attempts = 10;
        do
        {
            abort = callee.Abort(state, transaction, CancellationToken.None);
            await abort.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        while (abort.Exception?.InnerException is TimeoutException && --attempts > 0);

        await timers.Delay(s_backlog).ConfigureAwait(false);
        await callee.Abort(state, transaction, CancellationToken.None).ConfigureAwait(false);
    }
}
