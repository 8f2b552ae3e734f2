using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.Configuration;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Options of phases that are set without the call that reads them.</summary>
public sealed class UnconfiguredPhasesTests
{
    // Seen to fail where AddScalableTimers read them: a bound that nobody had checked reached transactions.
    [Fact]
    public void PhaseOptions_SetWithoutConfigureTransactionPhases_HaveNoEffect()
    {
        using var host = Host.CreateDefaultBuilder().UseOrleans(static silo =>
        {
            silo.UseLocalhostClustering().UseTransactions().AddScalableTimers();
            silo.Configure<TransactionPhaseOptions>(static phases =>
            {
                phases.UseFastRecovery();
                phases.Abort = TimeSpan.FromSeconds(-5);
            });
        }).Build();

        Assert.Null(host.Services.GetRequiredService<TransactionPhases>().Bounds.Abort);
        Assert.Equal(
            ConfirmationRetry.Default,
            host.Services.GetRequiredService<IOptions<TransactionalStateOptions>>().Value.ConfirmationRetryDelay);
    }
}
