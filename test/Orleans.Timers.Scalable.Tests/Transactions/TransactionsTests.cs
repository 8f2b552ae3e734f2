using System.Collections.Concurrent;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Orleans' transactions in silos that have scalable timers.</summary>
public sealed class TransactionsTests(TwoSilos silos, VirtualTimeSilo virtualTime)
{
    private const int Accounts = 40;
    private const int Transfers = 400;
    private const int InitialBalance = 1000;

    [Fact]
    public async Task Transfers_ManyAtOnceAndSomeOfThemFailing_ConserveMoney()
    {
        var seed = Environment.TickCount;
        var random = new Random(seed);
        var bank = Guid.NewGuid();
        var accounts = Enumerable.Range(0, Accounts).Select(i => $"{bank}/{i:d3}").ToList();
        await Task.WhenAll(accounts.Select(account => Account(account).Add(InitialBalance)))
            .Guarded("the accounts get their money");

        var expected = accounts.ToDictionary(static account => account, static _ => InitialBalance);
        var outcomes = new ConcurrentBag<string>();
        await Task.WhenAll(Enumerable.Range(0, Transfers).Select(i =>
        {
            var from = random.Next(Accounts);
            var to = (from + random.Next(1, Accounts)) % Accounts;
            var pause = TimeSpan.FromMilliseconds(random.Next(0, 4));
            return Transfer(i, accounts[from], accounts[to], random.Next(1, 50), pause, fail: random.Next(10) == 0);
        })).Guarded("all transfers have an outcome");

        var story = $"Seed {seed}: {string.Join(", ", outcomes.CountBy(static outcome => outcome))}.";
        var balances = await Task.WhenAll(accounts.Select(account => Account(account).Balance()))
            .Guarded("all balances are known");
        var total = balances.Sum();
        Assert.True(
            total == Accounts * InitialBalance, $"{story} There are {total} instead of {Accounts * InitialBalance}.");
        Assert.True(outcomes.Contains("failed on purpose"), story);
        Assert.True(outcomes.Count(static outcome => outcome == "committed") > Transfers / 2, story);
        if (!outcomes.Contains("in doubt"))
        {
            Assert.Equal(accounts.Select(account => expected[account]), balances);
        }

        async Task Transfer(int number, string from, string to, int amount, TimeSpan pause, bool fail)
        {
            var silo = number % 2 == 0 ? silos.First : silos.Second;
            try
            {
                await silo.Grains().GetGrain<ITransferGrain>(number).Transfer(from, to, amount, pause, fail);
                lock (expected)
                {
                    expected[from] -= amount;
                    expected[to] += amount;
                }

                outcomes.Add("committed");
            }
            catch (OrleansTransactionInDoubtException)
            {
                outcomes.Add("in doubt");
            }
            catch (OrleansTransactionException) when (!fail)
            {
                outcomes.Add("aborted");
            }
            catch (Exception) when (fail)
            {
                outcomes.Add("failed on purpose");
            }
        }
    }

    [Fact]
    public async Task Confirmation_Fails_IsRepeatedWhenTheServicesClockSaysSo()
    {
        // The test runs in virtual time, where no other timer would ever repeat it.
        var bank = Guid.NewGuid();
        var (from, to) = ($"{bank}/from", $"{bank}/to");
        var grains = virtualTime.Silo.Grains();
        var (begun, repeated) = virtualTime.Confirmations.FailNext();

        await grains.GetGrain<ITransferGrain>(0)
            .Transfer(from, to, 10, TimeSpan.Zero, fail: false)
            .Guarded("the transfer commits");
        Assert.Equal(
            VirtualTimeSilo.ConfirmationRetryDelay,
            await begun.Guarded("a confirmation fails and waits to be repeated"));
        virtualTime.Clock.Advance(VirtualTimeSilo.ConfirmationRetryDelay - TimeSpan.FromTicks(1));
        Assert.False(repeated.IsCompleted);
        virtualTime.Clock.Advance(TimeSpan.FromTicks(1));

        await repeated.Guarded("the confirmation is repeated");
        Assert.Equal(10, await grains.GetGrain<IAccountGrain>(to).Balance().Guarded("the balance is known"));
    }

    private IAccountGrain Account(string account) => silos.First.Grains().GetGrain<IAccountGrain>(account);
}
