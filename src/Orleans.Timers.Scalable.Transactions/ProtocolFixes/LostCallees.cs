using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.ProtocolFixes;

/// <summary>
/// The callees of lost calls: they may hold locks of a transaction, but no answer has named them as its participants.
/// </summary>
/// <remarks>
/// They are told of an abort when the transaction's root has decided it. If they were told earlier, the transaction
/// might still commit, without what they did before the lost call. The root knows those that it has called itself.
/// </remarks>
internal static class LostCallees
{
    /// <summary>Enough for a silo to handle all messages that it has received during a pause.</summary>
    private static readonly TimeSpan s_backlog = TimeSpan.FromSeconds(1);

    /// <summary>By the object with which the root starts, calls and resolves.</summary>
    private static readonly
        ConditionalWeakTable<TransactionInfo, ConcurrentDictionary<(GrainReference, string), bool>> s_all = [];

    internal static void Add(TransactionInfo transaction, GrainReference callee, string state) =>
        s_all.GetOrCreateValue(transaction).TryAdd((callee, state), true);

    /// <summary>Tells the callees that the transaction has aborted. Waits for nothing, not even for filters.</summary>
    internal static void Abort(TransactionInfo transaction, TimeProvider clock)
    {
        if (s_all.TryGetValue(transaction, out var lost))
        {
            var id = transaction.TransactionId;
            foreach (var (callee, state) in lost.Keys)
            {
                Task.Run(() => Abort(callee.AsReference<ITransactionalResourceExtension>(), state, id, clock)).Ignore();
            }
        }
    }

    /// <remarks>
    /// A silo handles the last of many messages first, so an abort that it answers may have overtaken the request. One
    /// more comes after the backlog. If that is lost, the locks expire.
    /// </remarks>
    private static async Task Abort(
        ITransactionalResourceExtension callee, string state, Guid transaction, TimeProvider clock)
    {
        Task abort;
        var attempts = 10;
        do
        {
            abort = callee.Abort(state, transaction, CancellationToken.None);
            await abort.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await Task.Delay(s_backlog, clock).ConfigureAwait(false);
        }
        while (abort.Exception?.InnerException is TimeoutException && --attempts > 0);

        await callee.Abort(state, transaction, CancellationToken.None).ConfigureAwait(false);
    }
}
