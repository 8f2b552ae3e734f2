using Microsoft.Extensions.DependencyInjection;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Deadlines of transactions in two silos.</summary>
/// <remarks>That an agent never resolves a late one: see <see cref="PhasedTransactionAgentTests"/>.</remarks>
[Collection(typeof(PhasedSilos))]
public sealed class TransactionDeadlineTests(PhasedSilos silos)
{
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
}
