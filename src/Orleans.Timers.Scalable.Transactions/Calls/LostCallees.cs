using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Calls;

/// <summary>
/// The callees of a transaction's lost calls: they may hold locks, but no answer has named them as participants.
/// </summary>
/// <remarks>
/// They travel in the transaction, to the silo or client that resolves it, as participants with an impossible number of
/// reads. They are told of an abort only there, when it has been decided: if they were told earlier, the transaction
/// might commit without what they did before the call.
/// </remarks>
internal static class LostCallees
{
    /// <summary>Enough for a silo to handle all messages that it has received during a pause.</summary>
    private static readonly TimeSpan s_backlog = TimeSpan.FromSeconds(1);

    /// <summary>Adding those of many calls up gives no possible number. Orleans aborts a commit that has one.</summary>
    private static readonly AccessCounter s_impossible = new() { Reads = -1_000_000 };

    /// <summary>
    /// Adds the states of a callee. May be called on any thread; has no effect when the calling method has ended.
    /// </summary>
    internal static void Add(TransactionInfo transaction, GrainReference callee, IEnumerable<ParticipantId> states)
    {
        var fork = transaction.Fork();
        foreach (var state in states)
        {
            fork.Participants[new ParticipantId(state.Name, callee, state.SupportedRoles)] = s_impossible;
        }

        transaction.Join(fork);
    }

    /// <summary>Tells the callees that their transaction has aborted. Does not wait for them.</summary>
    internal static void Abort(TransactionInfo transaction, TimeProvider clock)
    {
        foreach (var state in transaction.Participants.Where(static each => each.Value.Reads < 0).ToList())
        {
            transaction.Participants.Remove(state.Key);
            Abort(state.Key, transaction.TransactionId, clock).Ignore();
        }
    }

    /// <remarks>
    /// A silo handles the last of many messages first, so an abort that it answers may have overtaken the request. One
    /// more comes after the backlog. If that is lost, the locks expire.
    /// </remarks>
    private static async Task Abort(ParticipantId state, Guid transaction, TimeProvider clock)
    {
        var callee = state.Reference.AsReference<ITransactionalResourceExtension>();
        Task abort;
        var attempts = 10;
        do
        {
            abort = callee.Abort(state.Name, transaction, CancellationToken.None);
            await abort.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        while (abort.Exception?.InnerException is TimeoutException && --attempts > 0);

        await Task.Delay(s_backlog, clock).ConfigureAwait(false);
        await callee.Abort(state.Name, transaction, CancellationToken.None).ConfigureAwait(false);
    }
}
