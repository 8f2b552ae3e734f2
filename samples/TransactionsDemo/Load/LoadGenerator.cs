using System.Diagnostics;
using TransactionsDemo.Bank;

namespace TransactionsDemo.Load;

/// <summary>
/// Keeps every teller of a bank busy. Each makes the transfers of the plan, one after the other, until the time has
/// passed.
/// </summary>
internal sealed class LoadGenerator(IBank bank, Ledger ledger, BankSettings settings, TimeSpan duration)
{
    /// <summary>How long the last transfers may take to end. All time limits inside a bank are shorter.</summary>
    private readonly TimeSpan _patience = settings.Patience + TimeSpan.FromSeconds(60);

    private long _finished;

    /// <summary>When the transfers ended.</summary>
    public Timeline Timeline { get; } = new(duration);

    /// <summary>How many transfers have been finished so far.</summary>
    public long Finished => Interlocked.Read(ref _finished);

    /// <summary>Makes transfers. Those begun in time are finished.</summary>
    /// <exception cref="BankFailedException">A transfer has ended with an exception, or not at all.</exception>
    public async Task<WorkTally> RunAsync(TransferPlan plan, CancellationToken cancellationToken)
    {
        var endsAt = Timeline.Begin();
        var tallies = Enumerable.Range(0, settings.Tellers).Select(static _ => new WorkTally()).ToArray();
        var workers = tallies
            .Select(
                (tally, teller) =>
                    Task.Run(() => WorkAsync(teller, plan, endsAt, tally, cancellationToken), CancellationToken.None))
            .ToArray();
        try
        {
            await Task.WhenAll(workers).WaitAsync(duration + _patience, CancellationToken.None);
        }
        catch (TimeoutException)
        {
            var open = tallies.Sum(static tally => tally.Started - tally.Finished);
            throw new BankFailedException(
                $"{open:N0} transfers have no outcome {_patience.TotalSeconds:N0} s after the load.");
        }

        var total = new WorkTally();
        foreach (var tally in tallies)
        {
            total.Add(tally);
        }

        return total;
    }

    private async Task WorkAsync(
        int teller, TransferPlan plan, long endsAt, WorkTally tally, CancellationToken cancellationToken)
    {
        for (var index = 0; Stopwatch.GetTimestamp() < endsAt && !cancellationToken.IsCancellationRequested; index++)
        {
            var transfer = plan.Create(teller, index);
            tally.CountStarted();

            // The loop continues through the pool's global queue. A transfer's continuation goes to its thread's local
            // queue, which is last in, first out. So on busy processors a few tellers would make transfer after
            // transfer while others wait for seconds.
            await Task.Factory.StartNew(
                static () => { }, CancellationToken.None, TaskCreationOptions.PreferFairness, TaskScheduler.Default);
            var startedAt = Stopwatch.GetTimestamp();
            var result = await TransferAsync(transfer);
            var endedAt = Stopwatch.GetTimestamp();
            var latency = Stopwatch.GetElapsedTime(startedAt, endedAt);
            tally.CountFinished(result, latency, endedAt <= endsAt);
            Timeline.CountEnded(endedAt, latency, result.Outcome == TransferOutcome.Committed);
            Interlocked.Increment(ref _finished);
            if (result.Outcome == TransferOutcome.Committed)
            {
                ledger.Enter(transfer);
            }
        }
    }

    private async Task<TransferResult> TransferAsync(Transfer transfer)
    {
        try
        {
            return await bank.TransferAsync(transfer);
        }
        catch (Exception exception)
        {
            throw new BankFailedException(
                $"A transfer of teller {transfer.Teller} has no outcome: {exception.Message}", exception);
        }
    }
}
