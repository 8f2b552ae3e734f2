using Microsoft.Extensions.Hosting;
using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>A bank of grains in a cluster of silos, all in this process.</summary>
internal sealed class OrleansBank(IReadOnlyList<IHost> silos, IGrainFactory grains, TimerTally tally, BankSettings settings) : IBank
{
    /// <summary>How many accounts are opened or counted at the same time.</summary>
    private const int Batch = 100;

    private const int MaxAttempts = 20;

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(200);

    public TimerTally Timers => tally;

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
        catch (TimeoutException)
        {
            // The teller may still be at it. This waits until it has finished, and then its books know.
            var hasCommitted = await RetryAsync(() => teller.HasCommittedAsync(transfer.Id));
            var outcome = hasCommitted ? TransferOutcome.Committed : TransferOutcome.CallTimeout;
            return new TransferResult { Outcome = outcome, WasInDoubt = true };
        }
    }

    public async Task<BankCount> CountAsync()
    {
        var balances = await ForEachAsync(settings.Accounts, account => RetryAsync(() => Account(account).ReadBalanceAsync()));
        var committed = await ForEachAsync(settings.Tellers, teller => RetryAsync(() => Teller(teller).CountCommittedAsync()));
        return new BankCount(balances, committed.Sum());
    }

    public Task<EngineTimerCounts> WatchEngineTimersAsync(TimeSpan duration) => EngineTimers.WatchAsync(duration);

    public Task<TimeSpan[]> MeasureDelaysAsync(TimeSpan[] dueTimes) => grains.GetGrain<IDelayProbeGrain>(0).MeasureAsync(dueTimes);

    public async ValueTask DisposeAsync()
    {
        // The first silo keeps the list of the others, so it leaves last.
        foreach (var silo in silos.Reverse())
        {
            await silo.StopAsync();
            await ((IAsyncDisposable)silo).DisposeAsync();
        }
    }

    private IAccountGrain Account(int number) => grains.GetGrain<IAccountGrain>(number);

    private ITellerGrain Teller(int number) => grains.GetGrain<ITellerGrain>(number);

    private static async Task<T[]> ForEachAsync<T>(int count, Func<int, Task<T>> work)
    {
        var results = new T[count];
        var batches = new ParallelOptions { MaxDegreeOfParallelism = Batch };
        await Parallel.ForAsync(0, count, batches, async (number, _) => results[number] = await work(number));
        return results;
    }

    /// <summary>For what may meet a transaction that is not over yet.</summary>
    private static async Task<T> RetryAsync<T>(Func<Task<T>> work)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return await work();
            }
            catch (Exception) when (attempt < MaxAttempts)
            {
                await Task.Delay(s_pause);
            }
        }
    }
}
