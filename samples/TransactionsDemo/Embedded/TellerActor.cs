using ScalableTimers;
using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Embedded;

/// <summary>A teller: coordinates the transactions of its transfers.</summary>
internal sealed class TellerActor(
    ActorSystem system, DecisionLog decisions, AccountActor[] accounts, OperationStatistics phases)
    : Actor(system)
{
    private readonly List<Task> _unfinished = [];

    public Task<TransferResult> TransferAsync(Transfer transfer) => RunAsync(() => TransferWithRetriesAsync(transfer));

    /// <summary>Waits for the accounts that are still to be told of a commitment.</summary>
    public Task SettleAsync() => RunAsync(async () =>
    {
        await Task.WhenAll(_unfinished);
        return true;
    });

    /// <summary>Keeps work that does not affect the outcome of a transfer.</summary>
    internal void FinishLater(Task work)
    {
        _unfinished.RemoveAll(static task => task.IsCompletedSuccessfully);
        _unfinished.Add(work);
    }

    protected override void Receive(object message) =>
        throw new InvalidOperationException($"A teller cannot handle {message}.");

    private async Task<TransferResult> TransferWithRetriesAsync(Transfer transfer)
    {
        using var limit = TimeLimit.Start(Timers, Limits.Transfer);
        var wasInDoubt = false;
        for (var number = 1; ; number++)
        {
            var attempt = new TransferAttempt(this, transfer, number, decisions, accounts, Timers, phases);
            var outcome = await attempt.RunAsync();
            wasInDoubt |= attempt.WasInDoubt;
            if (!RetryPolicy.IsWorthRetrying(outcome) || number == RetryPolicy.MaxAttempts || limit.IsOver)
            {
                return new TransferResult { Outcome = outcome, Retries = number - 1, WasInDoubt = wasInDoubt };
            }

            await Timers.DelayAsync(RetryPolicy.Backoff(transfer.Id, number));
        }
    }
}
