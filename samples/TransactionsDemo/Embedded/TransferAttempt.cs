using ScalableTimers;
using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Embedded;

/// <summary>One attempt at a transfer: a transaction in two phases, run by a teller on its scheduler.</summary>
internal sealed class TransferAttempt(
    TellerActor teller,
    Transfer transfer,
    int attempt,
    DecisionLog decisions,
    AccountActor[] accounts,
    DemoTimers timers,
    OperationStatistics phases)
{
    private readonly long _transaction = (transfer.Id * RetryPolicy.MaxAttempts) + attempt - 1;

    /// <summary>Whether it was unknown for a while if the transaction had been committed.</summary>
    public bool WasInDoubt { get; private set; }

    /// <summary>Runs the attempt until its outcome is certain. The accounts have been told of it or will be.</summary>
    public async Task<TransferOutcome> RunAsync()
    {
        var failure = await LockAsync() ?? await PrepareAsync() ?? await CommitAsync();
        if (failure is { } outcome)
        {
            accounts[transfer.First].Post(new Request(RequestKind.Abort, _transaction));
            accounts[transfer.Second].Post(new Request(RequestKind.Abort, _transaction));
            return outcome;
        }

        if (!await TryConfirmAsync(LosesAnswer(TransferPhase.Confirm)))
        {
            teller.FinishLater(ConfirmAsync());
        }

        return TransferOutcome.Committed;
    }

    private async Task<TransferOutcome?> LockAsync()
    {
        using var measured = phases.Measure(TransferPhase.Lock);
        using var phase = BeginPhase();
        var failure = FailureOf(await AskAccountAsync(transfer.First, RequestKind.Lock, phase));
        if (failure is not null)
        {
            return failure;
        }

        if (transfer.Deliberation > TimeSpan.Zero)
        {
            await timers.DelayAsync(transfer.Deliberation);
        }

        return transfer.IsRefused
            ? TransferOutcome.Refused
            : FailureOf(
                await AskAccountAsync(transfer.Second, RequestKind.Lock, phase, LosesAnswer(TransferPhase.Lock)));
    }

    private async Task<TransferOutcome?> PrepareAsync()
    {
        using var measured = phases.Measure(TransferPhase.Prepare);
        using var phase = BeginPhase();
        var first = AskAccountAsync(transfer.First, RequestKind.Prepare, phase);
        var second = AskAccountAsync(transfer.Second, RequestKind.Prepare, phase, LosesAnswer(TransferPhase.Prepare));
        var (firstFailure, secondFailure) = (FailureOf(await first), FailureOf(await second));
        var failure = firstFailure ?? secondFailure;
        return failure == TransferOutcome.CallTimeout ? TransferOutcome.PrepareTimeout : failure;
    }

    private async Task<TransferOutcome?> CommitAsync()
    {
        using var measured = phases.Measure(TransferPhase.Commit);
        var losesAnswer = LosesAnswer(TransferPhase.Commit);
        while (true)
        {
            using var phase = BeginPhase();
            switch (await teller.AskAsync(decisions, new Request(RequestKind.Decide, _transaction), phase, losesAnswer))
            {
                case Answer.Committed:
                    return null;
                case Answer.Aborted:
                    return TransferOutcome.Aborted;
                default:
                    // Only the log knows whether the decision has been made.
                    WasInDoubt = true;
                    losesAnswer = false;
                    break;
            }
        }
    }

    private async Task ConfirmAsync()
    {
        while (!await TryConfirmAsync(losesAnswer: false))
        {
        }
    }

    private async Task<bool> TryConfirmAsync(bool losesAnswer)
    {
        using var measured = phases.Measure(TransferPhase.Confirm);
        using var phase = BeginPhase();
        var first = AskAccountAsync(transfer.First, RequestKind.Confirm, phase);
        var second = AskAccountAsync(transfer.Second, RequestKind.Confirm, phase, losesAnswer);
        Answer[] answers = [await first, await second];
        if (answers.Contains(Answer.None))
        {
            return false;
        }

        decisions.Post(new Request(RequestKind.Forget, _transaction));
        return true;
    }

    private Phase BeginPhase() => Phase.Start(timers, teller, Limits.Phase);

    private Task<Answer> AskAccountAsync(int account, RequestKind kind, Phase phase, bool losesAnswer = false) =>
        teller.AskAsync(
            accounts[account], new Request(kind, _transaction, transfer.AmountFor(account)), phase, losesAnswer);

    private bool LosesAnswer(TransferPhase phase) => attempt == 1 && transfer.LostAnswer == phase;

    private static TransferOutcome? FailureOf(Answer answer) => answer switch
    {
        Answer.Done => null,
        Answer.None => TransferOutcome.CallTimeout,
        Answer.InsufficientFunds => TransferOutcome.InsufficientFunds,
        Answer.LockTimeout or Answer.LockLost => TransferOutcome.LockTimeout,
        _ => throw new InvalidOperationException($"An account has answered {answer}."),
    };
}
