using System.Collections.Concurrent;
using System.Diagnostics;
using Cluster.Bank;

namespace Cluster.Load;

/// <summary>Compares what the accounts hold with what the callers were told.</summary>
internal static class Audit
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(250);

    /// <summary>Returns one sentence for each error.</summary>
    public static async Task<IReadOnlyList<string>> RunAsync(
        IGrainFactory grains, IReadOnlyCollection<Transfer> transfers)
    {
        var accounts = new ConcurrentDictionary<int, AccountState>();
        var startedAt = Stopwatch.GetTimestamp();
        await Parallel.ForAsync(
            0,
            BankLoad.Accounts,
            new ParallelOptions { MaxDegreeOfParallelism = 50 },
            async (number, _) =>
            {
                while (Stopwatch.GetElapsedTime(startedAt) < s_patience)
                {
                    try
                    {
                        accounts[number] = await grains.GetGrain<IAccountGrain>(number).Read();
                        return;
                    }
                    catch (Exception exception) when (exception is OrleansException or TimeoutException)
                    {
                        await Task.Delay(s_pause, CancellationToken.None);
                    }
                }
            });
        return [.. Check(accounts, transfers)];
    }

    // Calibrated with three defects, each of which gave exit code 1 and one line: an account that noted one deposit
    // without adding it ("accounts hold -79"), a teller that did nothing ("told Committed", 0 times and 0 times), and a
    // transfer that was made although its caller was told otherwise ("told Aborted", 1 times and 1 times).
    private static IEnumerable<string> Check(
        ConcurrentDictionary<int, AccountState> accounts, IReadOnlyCollection<Transfer> transfers)
    {
        var unread = Enumerable.Range(0, BankLoad.Accounts).Where(number => !accounts.ContainsKey(number)).ToList();
        if (unread.Count != 0)
        {
            yield return $"Accounts {string.Join(", ", unread)} could not be read within {s_patience}.";
        }

        var money = accounts.Values.Sum(static account => account.Balance - AccountState.OpeningBalance);
        if (unread.Count == 0 && money != 0)
        {
            yield return $"The accounts hold {money:+#;-#} units of money compared with the beginning.";
        }

        var entries = accounts.ToDictionary(
            static account => account.Key,
            static account => account.Value.Transfers.CountBy(static number => number).ToDictionary());
        foreach (var (number, from, to, fate, error, _) in transfers)
        {
            if (!entries.TryGetValue(from, out var givers) || !entries.TryGetValue(to, out var takers))
            {
                continue;
            }

            var (given, taken) = (givers.GetValueOrDefault(number), takers.GetValueOrDefault(number));
            if (given != taken || given > 1
                || (fate == Fate.Committed && given == 0) || (fate == Fate.Aborted && given != 0))
            {
                yield return $"Transfer {number}: its caller was told {fate} ({error ?? "no error"}), "
                    + $"account {from} has it {given} times and account {to} {taken} times.";
            }
        }
    }
}
