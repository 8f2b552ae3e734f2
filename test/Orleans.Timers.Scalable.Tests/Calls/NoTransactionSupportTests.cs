using Orleans.Timers.Scalable.Calls;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A program with transactions that lacks the package for them.</summary>
public sealed class NoTransactionSupportTests(TwoSilos silos)
{
    private readonly NoTransactionSupport _support = new();

    [Fact]
    public async Task Current_InATransaction_ThrowsNamingThePackage()
    {
        Assert.Null(_support.Current);

        await silos.First.NewGrain().RunInATransaction(_ =>
        {
            var error = Assert.Throws<InvalidOperationException>(() => _support.Current);
            Assert.Contains(TransactionSupport.Package, error.Message, StringComparison.Ordinal);
            return Task.CompletedTask;
        });
    }

    [Fact]
    public void Check_OfASiloWithTransactions_ThrowsNamingThePackage()
    {
        var error = Assert.Throws<OrleansConfigurationException>(() => _support.Check(silos.First.ServiceProvider));

        Assert.Contains(TransactionSupport.Package, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Check_OfASiloWithoutTransactions_Passes()
    {
        using var host = TestHosts.Silo(static silo => silo.AddScalableTimers());

        _support.Check(host.Services);
    }
}
