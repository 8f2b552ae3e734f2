using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable;

/// <summary>
/// Prevents a silo from starting with bounds that are out of range, contradict each other or do not reach the
/// transactions.
/// </summary>
internal sealed partial class TransactionPhaseOptionsValidator(
    IServiceProvider services,
    IOptions<TransactionPhaseOptions> phases,
    ILogger<TransactionPhaseOptionsValidator> logger) : IConfigurationValidator
{
    public void ValidateConfiguration()
    {
        var bounds = OptionErrors.Read(phases);
        OptionErrors.Refuse(bounds.Errors());

        var states = OptionErrors.Read(services.GetRequiredService<IOptions<TransactionalStateOptions>>());
        var response = OptionErrors.Read(services.GetRequiredService<IOptions<SiloMessagingOptions>>()).ResponseTimeout;
        OptionErrors.Refuse(TransactionPhaseRules.Contradictions(bounds, states, response));
        foreach (var doubt in TransactionPhaseRules.Doubts(bounds, states, response))
        {
            LogDoubt(logger, doubt);
        }

        RefuseUndecorated(services);
    }

    internal static void RefuseUndecorated(IServiceProvider services)
    {
        // The last registration counts, and UseTransactions adds one each time.
        if (services.GetRequiredService<ITransactionAgent>() is not PhasedTransactionAgent)
        {
            throw new OrleansConfigurationException(
                "ConfigureTransactionPhases and MeasureTransactionPhases must be called after UseTransactions.");
        }
    }

    [LoggerMessage(1, LogLevel.Warning, "{Doubt}")]
    private static partial void LogDoubt(ILogger logger, string doubt);
}
