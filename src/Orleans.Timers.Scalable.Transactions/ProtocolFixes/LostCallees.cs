using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.ProtocolFixes;

/// <summary>
/// The callees of calls without an answer: they may hold locks of a transaction, but no answer has named them as its
/// participants.
/// </summary>
/// <remarks>
/// They are told of an abort when the transaction's root has decided it. If they were told earlier, the transaction
/// might still commit, without what they did before the lost call. The root knows those that it has called itself. A
/// call counts from its beginning, because its caller may give it up without ending it.
/// </remarks>
internal sealed class LostCallees : IDisposable
{
    /// <summary>How many aborts are sent at a time. While a silo stands still, it answers none.</summary>
    internal const int AtOnce = 100;

    /// <summary>How many callees may wait to be told. While a silo stands still, thousands come each second.</summary>
    internal const int Most = 20_000;

    /// <summary>Enough for a silo to handle all messages that it has received during a pause.</summary>
    private static readonly TimeSpan s_backlog = TimeSpan.FromSeconds(1);

    /// <summary>By the object with which the root starts, calls and resolves. Each list is its own lock.</summary>
    private readonly ConditionalWeakTable<TransactionInfo, List<GrainReference>> _unanswered = [];

    /// <summary>What states are called in each type of grain, as far as answers have told.</summary>
    private readonly ConcurrentDictionary<(GrainType Type, string Name), bool> _states = new();

    private readonly SemaphoreSlim _places = new(AtOnce);
    private int _pending;

    public void Dispose() => _places.Dispose();

    internal void Add(TransactionInfo transaction, GrainReference callee)
    {
        var unanswered = _unanswered.GetOrCreateValue(transaction);
        lock (unanswered)
        {
            unanswered.Add(callee);
        }
    }

    internal void Remove(TransactionInfo transaction, GrainReference callee)
    {
        var unanswered = _unanswered.GetOrCreateValue(transaction);
        lock (unanswered)
        {
            unanswered.Remove(callee);
        }
    }

    internal void Learn(TransactionInfo answered)
    {
        foreach (var state in answered.Participants.Keys.Where(ParticipantRoleExtensions.IsResource))
        {
            _states.GetOrAdd((state.Reference.GrainId.Type, state.Name), true);
        }
    }

    /// <summary>Tells the callees that the transaction has aborted. Waits for nothing, not even for filters.</summary>
    internal void Abort(TransactionInfo transaction, TimeProvider clock)
    {
        if (!_unanswered.TryGetValue(transaction, out var unanswered))
        {
            return;
        }

        GrainReference[] callees;
        lock (unanswered)
        {
            callees = [.. unanswered.Distinct()];
        }

        var id = transaction.TransactionId;
        foreach (var callee in callees)
        {
            foreach (var ((_, state), _) in _states.Where(each => each.Key.Type == callee.GrainId.Type))
            {
                // Counted before it is queued: those beyond the most must not fill the pool's queue either.
                if (Interlocked.Increment(ref _pending) > Most)
                {
                    Interlocked.Decrement(ref _pending);
                    continue;
                }

                // Without the execution context, which keeps the transaction and more alive.
                ThreadPool.UnsafeQueueUserWorkItem(
                    _ => Abort(callee.AsReference<ITransactionalResourceExtension>(), state, id, clock).Ignore(), null);
            }
        }
    }

    /// <remarks>
    /// A silo handles the last of many messages first, so an abort that it answers may have overtaken the request. One
    /// more comes after the backlog. If that is lost, the locks expire, as do those of callees beyond the most.
    /// </remarks>
    private async Task Abort(
        ITransactionalResourceExtension callee, string state, Guid transaction, TimeProvider clock)
    {
        try
        {
            for (var attempts = 1; attempts < 10 && !await TryAbort().ConfigureAwait(false); attempts++)
            {
                await Task.Delay(s_backlog, clock).ConfigureAwait(false);
            }

            await Task.Delay(s_backlog, clock).ConfigureAwait(false);
            await TryAbort().ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Decrement(ref _pending);
        }

        async Task<bool> TryAbort()
        {
            await _places.WaitAsync().ConfigureAwait(false);
            try
            {
                await callee.Abort(state, transaction, CancellationToken.None).ConfigureAwait(false);
                return true;
            }
            catch (TimeoutException)
            {
                return false;
            }
            finally
            {
                _places.Release();
            }
        }
    }
}
