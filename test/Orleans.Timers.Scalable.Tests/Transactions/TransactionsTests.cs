namespace Orleans.Timers.Scalable.Tests;

/// <summary>Orleans' transactions in silos that have scalable timers.</summary>
[Collection(nameof(VirtualTimeSilo))]
public sealed class TransactionsTests(VirtualTimeSilo virtualTime)
{
    [Fact]
    public async Task Confirmation_Fails_IsRetriedOnTheServicesClock()
    {
        // The test runs in virtual time, where no other timer would ever repeat it.
        var grains = virtualTime.Silo.Grains();
        var accounts = new TwoAccounts(grains);
        var (begun, repeated) = virtualTime.Confirmations.FailNext();

        await grains.GetGrain<ITransferGrain>(0)
            .Transfer(accounts.From, accounts.To, 10, TimeSpan.Zero, fail: false)
            .Guarded("the transfer commits");
        Assert.Equal(
            VirtualTimeSilo.ConfirmationRetryDelay,
            await begun.Guarded("a confirmation fails and waits to be repeated"));
        virtualTime.Clock.Advance(VirtualTimeSilo.ConfirmationRetryDelay - TimeSpan.FromTicks(1));
        Assert.False(repeated.IsCompleted);
        virtualTime.Clock.Advance(TimeSpan.FromTicks(1));

        await repeated.Guarded("the confirmation is repeated");
        await accounts.AssertMoved(10);
    }
}
