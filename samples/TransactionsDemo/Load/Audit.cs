using System.Diagnostics;
using Orleans.Transactions;
using TransactionsDemo.Bank;

namespace TransactionsDemo.Load;

/// <summary>Counts all money and all transfers, after the load.</summary>
internal static class Audit
{
    /// <summary>A transfer in doubt may still be on its way, so a wrong count is repeated for this long.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(200);

    /// <summary>Returns one sentence for each error.</summary>
    public static async Task<IReadOnlyList<string>> RunAsync(IGrainFactory grains, BankLoad load)
    {
        var startedAt = Stopwatch.GetTimestamp();
        while (true)
        {
            var money = await SumAsync(
                BankLoad.Accounts, number => grains.GetGrain<IAccountGrain>(number).ReadBalance());
            var booked = await SumAsync(
                BankLoad.Tellers, number => grains.GetGrain<ITellerGrain>(number).CountTransfers());
            var errors = Check(money, booked, load).ToList();
            if (errors.Count == 0 || Stopwatch.GetElapsedTime(startedAt) > s_patience)
            {
                return errors;
            }

            await Task.Delay(s_pause);
        }
    }

    private static IEnumerable<string> Check(long money, long booked, BankLoad load)
    {
        const long Expected = BankLoad.Accounts * AccountState.OpeningBalance;
        if (money != Expected)
        {
            yield return $"There are {money:N0} units of money, not {Expected:N0}.";
        }

        if (booked < load.Committed || booked > load.Committed + load.InDoubt)
        {
            yield return $"The tellers' books have {booked:N0} transfers. {load.Committed:N0} were committed, and "
                + $"{load.InDoubt:N0} are in doubt.";
        }
    }

    private static async Task<long> SumAsync(int count, Func<int, Task<long>> readAsync)
    {
        var sum = 0L;
        await Parallel.ForAsync(0, count, new ParallelOptions { MaxDegreeOfParallelism = 100 }, async (number, _) =>
        {
            var startedAt = Stopwatch.GetTimestamp();
            while (true)
            {
                try
                {
                    Interlocked.Add(ref sum, await readAsync(number));
                    return;
                }
                catch (OrleansTransactionException) when (Stopwatch.GetElapsedTime(startedAt) < s_patience)
                {
                    await Task.Delay(s_pause, CancellationToken.None);
                }
            }
        });
        return sum;
    }
}
