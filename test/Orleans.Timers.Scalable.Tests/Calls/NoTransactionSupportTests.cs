using Orleans.Timers.Scalable.Calls;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A program with transactions that lacks the package for them.</summary>
public sealed class NoTransactionSupportTests(TwoSilos silos)
{
    private readonly NoTransactionSupport _support = new();

    // Seen to fail without the fork: the deposit was committed by a method that caught the exception.
    [Fact]
    public async Task Current_InATransaction_ThrowsNamingThePackageAndTheTransactionCannotCommit()
    {
        var timers = CallTimers.Of(silos.First.Timers());
        Assert.Null(_support.Current(timers));

        var accounts = new TwoAccounts(silos.First.Grains());
        InvalidOperationException? error = null;
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => silos.First.NewGrain().RunInATransaction(async _ =>
            {
                await accounts.Payee.Add(10);
                error = Assert.Throws<InvalidOperationException>(() => _support.Current(timers));
            }));

        Assert.Contains(TransactionSupport.Package, error?.Message, StringComparison.Ordinal);
        await accounts.AssertMoved(0);
    }

    [Fact]
    public void Validator_OfASiloWithTransactions_ThrowsNamingThePackageAndOtherwisePasses()
    {
        var validator = new NoTransactionSupport.Validator(silos.First.ServiceProvider);

        var error = Assert.Throws<OrleansConfigurationException>(validator.ValidateConfiguration);

        Assert.Contains(TransactionSupport.Package, error.Message, StringComparison.Ordinal);
        using var host = TestHosts.Silo(static silo => silo.AddScalableTimers());
        new NoTransactionSupport.Validator(host.Services).ValidateConfiguration();
    }
}
