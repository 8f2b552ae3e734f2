using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Deadlines of transactions in two silos.</summary>
[Collection(typeof(PhasedSilos))]
public sealed class TransactionDeadlineTests(PhasedSilos silos)
{
    private const int Accounts = 40;
    private const int Transfers = 100;
    private const int AtOnce = 16;
    private const int InitialBalance = 1000;

    [Fact]
    public async Task Transfers_SomeOfThemLateUnderLoad_LateOnesHaveNoEffectAnywhere()
    {
        // Seen to fail when PhasedTransactionAgent resolves a late transaction instead of aborting it, and still
        // throws: in the first run the balances are not the expected ones.
        var seed = Environment.TickCount;
        var random = new Random(seed);
        var bank = Guid.NewGuid();
        var accounts = Enumerable.Range(0, Accounts).Select(i => $"{bank}/{i:d3}").ToList();
        await Task.WhenAll(accounts.Select(account => Account(account).Add(InitialBalance)))
            .Guarded("the accounts get their money");

        var expected = accounts.ToDictionary(static account => account, static _ => InitialBalance);
        var outcomes = new ConcurrentBag<string>();
        using var places = new SemaphoreSlim(AtOnce);
        await Task.WhenAll(Enumerable.Range(0, Transfers).Select(i =>
        {
            var from = random.Next(Accounts);
            var to = (from + random.Next(1, Accounts)) % Accounts;
            return Transfer(i, accounts[from], accounts[to], random.Next(1, 50), isLate: i % 20 == 0);
        })).Guarded("all transfers have an outcome");

        var story = $"Seed {seed}: {string.Join(", ", outcomes.CountBy(static outcome => outcome))}.";
        TestContext.Current.TestOutputHelper?.WriteLine(story);
        Assert.DoesNotContain(outcomes, static outcome => outcome.Contains("wrong", StringComparison.Ordinal));
        Assert.True(outcomes.Contains("late") && outcomes.Contains("committed"), story);
        var balances = await Task.WhenAll(accounts.Select(account => TwoAccounts.Balance(Account(account))))
            .Guarded("all balances are known");
        Assert.True(
            balances.Sum() == Accounts * InitialBalance,
            $"{story} There are {balances.Sum()} instead of {Accounts * InitialBalance}.");
        if (!outcomes.Contains("in doubt"))
        {
            Assert.Equal(accounts.Select(account => expected[account]), balances);
        }

        async Task Transfer(int number, string from, string to, int amount, bool isLate)
        {
            await places.WaitAsync(TestContext.Current.CancellationToken);
            var start = Stopwatch.GetTimestamp();
            try
            {
                var teller = silos.Cluster.Silos[number % 2].Grains().GetGrain<ITransferGrain>(number);
                await teller.Transfer(from, to, amount, isLate ? PhasedSilos.Deadline : TimeSpan.Zero);
                lock (expected)
                {
                    expected[from] -= amount;
                    expected[to] += amount;
                }

                outcomes.Add(isLate ? "wrong: committed although late" : "committed");
            }
            catch (OrleansTransactionInDoubtException)
            {
                outcomes.Add("in doubt");
            }
            catch (OrleansTransactionAbortedException aborted) when (
                aborted.InnerException is TimeoutException
                    && aborted.Message.Contains("deadline", StringComparison.Ordinal))
            {
                outcomes.Add(
                    Stopwatch.GetElapsedTime(start) < PhasedSilos.Deadline ? "wrong: late although early" : "late");
            }
            catch (OrleansTransactionAbortedException)
            {
                outcomes.Add("aborted");
            }
            finally
            {
                places.Release();
            }
        }
    }

    [Fact]
    public async Task Transfer_LaterThanTheSilosDeadline_IsAbortedAndSaysSo()
    {
        var accounts = new TwoAccounts(silos.Client);

        var exception = await Assert.ThrowsAsync<OrleansTransactionTransientFailureException>(() =>
            silos.Client.GetGrain<ITransferGrain>(0)
                .Transfer(accounts.From, accounts.To, 10, PhasedSilos.Deadline, fail: false)
                .Guarded("the transfer ends"));

        Assert.Contains(PhasedSilos.Deadline.ToString(), exception.Message, StringComparison.Ordinal);
        Assert.IsType<TimeoutException>(exception.InnerException);
        await accounts.AssertMoved(0);
    }

    [Fact]
    public async Task RunTransaction_LaterThanTheSilosDeadline_IsAborted()
    {
        var accounts = new TwoAccounts(silos.First.Grains());
        var client = silos.First.ServiceProvider.GetRequiredService<ITransactionClient>();

        await Assert.ThrowsAsync<OrleansTransactionTransientFailureException>(() =>
            client.RunTransaction(TransactionOption.Create, async () =>
        {
            await accounts.Payer.MoveTo(accounts.Payee, 10);

            // .NET's timers are early by some milliseconds.
            await Task.Delay(
                PhasedSilos.Deadline + TimeSpan.FromMilliseconds(100), TestContext.Current.CancellationToken);
        }).Guarded("the transaction ends"));

        await accounts.AssertMoved(0);
    }

    private IAccountGrain Account(string account) => silos.Client.GetGrain<IAccountGrain>(account);
}
