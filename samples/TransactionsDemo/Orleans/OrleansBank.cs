using System.Diagnostics;
using Orleans.Transactions;
using ScalableTimers;
using TransactionsDemo.Bank;
using TransactionsDemo.Probes;
using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>A bank of grains in a cluster of silos.</summary>
internal sealed class OrleansBank(BankCluster cluster, DirectoryInfo? folder, TimerTally tally, BankSettings settings)
    : IBank
{
    /// <summary>How many accounts are opened or counted at the same time.</summary>
    private const int Batch = 100;

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(200);

    private readonly IGrainFactory _grains = cluster.Grains;

    public TimerTally Timers => tally;

    public IReadOnlyList<OperationSummary> Phases =>
        [.. cluster.Phases?.Snapshot().Select(static phase => phase.Durations) ?? []];

    public IEnumerable<Probe> Probes =>
        EngineTimers.Probe is { } probe ? [probe, ResponseTimeouts.Probe(_grains)] : [ResponseTimeouts.Probe(_grains)];

    public void ClearPhases() => cluster.Phases?.Clear();

    public Task OpenAccountsAsync() => ForEachAsync(settings.Accounts, account => RetryAsync(async () =>
    {
        await Account(account).OpenAsync(BankSettings.OpeningBalance);
        return true;
    }));

    public async Task<TransferResult> TransferAsync(Transfer transfer)
    {
        var teller = Teller(transfer.Teller);
        try
        {
            return await teller.TransferAsync(transfer);
        }
        catch (Exception exception)
            when (exception is TimeoutException or OrleansTransactionException || settings.KillAfter is not null)
        {
            // The teller may still be working on the transfer, or may have died meanwhile. This call waits until the
            // teller has finished or is active again. The teller's books are part of the transaction, so it also waits
            // until the transaction is decided. Then the books contain the outcome.
            var hasCommitted = await RetryAsync(() => teller.HasCommittedAsync(transfer.Id));
            var failure = exception is TimeoutException ? TransferOutcome.CallTimeout : TransferOutcome.TellerLost;
            return new TransferResult
            {
                Outcome = hasCommitted ? TransferOutcome.Committed : failure,
                WasInDoubt = true,
            };
        }
    }

    public SiloDeath KillSilo() => cluster.KillLast();

    public async Task<BankCount> CountAsync()
    {
        var balances = await ForEachAsync(
            settings.Accounts, account => RetryAsync(() => Account(account).ReadBalanceAsync()));
        var committed = await ForEachAsync(
            settings.Tellers, teller => RetryAsync(() => Teller(teller).CountCommittedAsync()));
        return new BankCount(balances, committed.Sum());
    }

    public long? CountEngineTimers() => EngineTimers.CountPending();

    public Task<TimeSpan[]> MeasureDelaysAsync(TimeSpan[] dueTimes) =>
        _grains.GetGrain<IDelayProbeGrain>(0).MeasureAsync(dueTimes);

    public async ValueTask DisposeAsync()
    {
        await cluster.DisposeAsync();
        folder?.Delete(recursive: true);
    }

    private IAccountGrain Account(int number) => _grains.GetGrain<IAccountGrain>(number);

    private ITellerGrain Teller(int number) => _grains.GetGrain<ITellerGrain>(number);

    private static async Task<T[]> ForEachAsync<T>(int count, Func<int, Task<T>> work)
    {
        var results = new T[count];
        var batches = new ParallelOptions { MaxDegreeOfParallelism = Batch };
        await Parallel.ForAsync(0, count, batches, async (number, _) => results[number] = await work(number));
        return results;
    }

    /// <summary>Repeats a call that may meet an unfinished transaction or a dead silo.</summary>
    private async Task<T> RetryAsync<T>(Func<Task<T>> work)
    {
        var startedAt = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                return await work();
            }
            catch (Exception) when (Stopwatch.GetElapsedTime(startedAt) < settings.Patience)
            {
                await Task.Delay(s_pause);
            }
        }
    }
}
