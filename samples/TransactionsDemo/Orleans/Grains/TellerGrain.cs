using Orleans.Placement;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>
/// A teller, in any silo: makes transfers, each a transaction of two accounts and the teller's own books.
/// </summary>
[RandomPlacement]
internal sealed class TellerGrain(
    [TransactionalState("books", OrleansEngine.StorageName)] ITransactionalState<TellerState> books,
    ITransactionClient transactions,
    DemoTimers timers,
    Limits limits) : Grain, ITellerGrain
{
    public async Task<TransferResult> TransferAsync(Transfer transfer)
    {
        using var limit = TimeLimit.Start(timers, limits.Transfer);
        var wasInDoubt = false;
        for (var attempt = 1; ; attempt++)
        {
            TransferOutcome outcome;
            try
            {
                outcome = await AttemptAsync(transfer, attempt);
            }
            catch (OrleansTransactionInDoubtException)
            {
                wasInDoubt = true;
                outcome = await HasCommittedAsync(transfer.Id) ? TransferOutcome.Committed : TransferOutcome.Aborted;
            }

            if (!RetryPolicy.IsWorthRetrying(outcome) || attempt == RetryPolicy.MaxAttempts || limit.IsOver)
            {
                return new TransferResult { Outcome = outcome, Retries = attempt - 1, WasInDoubt = wasInDoubt };
            }

            await timers.DelayAsync(RetryPolicy.Backoff(transfer.Id, attempt));
        }
    }

    public async Task<bool> HasCommittedAsync(long transfer) => (await ReadBooksAsync()).LastCommitted == transfer;

    public async Task<long> CountCommittedAsync() => (await ReadBooksAsync()).Committed;

    private async Task<TransferOutcome> AttemptAsync(Transfer transfer, int attempt)
    {
        var outcome = TransferOutcome.Committed;
        try
        {
            await transactions.RunTransaction(TransactionOption.Create, async () =>
            {
                outcome = await MoveMoneyAsync(transfer, attempt);
                return outcome == TransferOutcome.Committed;
            });
            return outcome;
        }
        catch (OrleansTransactionAbortedException exception)
        {
            // A call that was given up makes Orleans abort. The more precise outcome is already known.
            return outcome == TransferOutcome.Committed ? OutcomeOf(exception) : outcome;
        }
    }

    private async Task<TransferOutcome> MoveMoneyAsync(Transfer transfer, int attempt)
    {
        var outcome = await ChangeAsync(transfer, transfer.First);
        if (outcome != TransferOutcome.Committed)
        {
            return outcome;
        }

        if (transfer.Deliberation > TimeSpan.Zero)
        {
            await timers.DelayAsync(transfer.Deliberation);
        }

        if (transfer.IsRefused)
        {
            return TransferOutcome.Refused;
        }

        outcome = transfer.LostAnswer is not null && attempt == 1
            ? await LoseAnswerAsync(transfer.Second)
            : await ChangeAsync(transfer, transfer.Second);
        if (outcome == TransferOutcome.Committed)
        {
            await books.PerformUpdate(state =>
            {
                state.LastCommitted = transfer.Id;
                state.Committed++;
            });
        }

        return outcome;
    }

    private async Task<TransferOutcome> ChangeAsync(Transfer transfer, int account)
    {
        var call = GrainFactory.GetGrain<IAccountGrain>(account).ChangeAsync(transfer.AmountFor(account));
        if (!await EndsInTimeAsync(call))
        {
            return TransferOutcome.CallTimeout;
        }

        return await call ? TransferOutcome.Committed : TransferOutcome.InsufficientFunds;
    }

    private async Task<TransferOutcome> LoseAnswerAsync(int account)
    {
        await EndsInTimeAsync(GrainFactory.GetGrain<IAccountGrain>(account).LoseAnswerAsync());
        return TransferOutcome.CallTimeout;
    }

    private async Task<bool> EndsInTimeAsync(Task call)
    {
        var limit = new CallLimit();
        timers.Start(limit, limits.Call);
        await Task.WhenAny(call, limit.Reached);
        return timers.TryEndInTime(limit);
    }

    /// <summary>
    /// This must not take long. After a silo's death this activation may be deactivating. It cannot end before this
    /// call has ended, and until then no transaction succeeds. The bank asks again.
    /// </summary>
    private async Task<TellerState> ReadBooksAsync()
    {
        using var limit = TimeLimit.Start(timers, limits.Lookup);
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                TellerState? copy = null;
                await transactions.RunTransaction(
                    TransactionOption.Create, async () => copy = await books.PerformRead(Copy));
                return copy!;
            }
            catch (OrleansTransactionException) when (!limit.IsOver)
            {
                await timers.DelayAsync(RetryPolicy.Backoff(this.GetPrimaryKeyLong(), attempt));
            }
        }
    }

    private static TellerState Copy(TellerState state) =>
        new() { LastCommitted = state.LastCommitted, Committed = state.Committed };

    private static TransferOutcome OutcomeOf(OrleansTransactionAbortedException exception) => exception switch
    {
        OrleansBrokenTransactionLockException => TransferOutcome.LockTimeout,
        OrleansTransactionPrepareTimeoutException => TransferOutcome.PrepareTimeout,
        OrleansTransactionLockUpgradeException or OrleansCascadingAbortException => TransferOutcome.Conflict,
        _ => TransferOutcome.Aborted,
    };
}
