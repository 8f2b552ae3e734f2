using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Scalable.Registration;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>
/// Prevents a silo from starting with bounds that are out of range, contradict Orleans' options or do not reach the
/// transactions.
/// </summary>
internal sealed class TransactionPhaseOptionsValidator(
    IServiceProvider services, IOptions<TransactionPhaseOptions> phases) : IConfigurationValidator
{
    public void ValidateConfiguration()
    {
        var bounds = OptionErrors.Read(phases);
        OptionErrors.Refuse(bounds.Errors());

        var response = OptionErrors.Read(services.GetRequiredService<IOptions<SiloMessagingOptions>>()).ResponseTimeout;
        if (bounds.Abort >= response)
        {
            throw new OrleansConfigurationException(
                $"{nameof(TransactionPhaseOptions)}.{nameof(bounds.Abort)} ({bounds.Abort}) is not shorter than "
                    + $"{nameof(SiloMessagingOptions)}.{nameof(MessagingOptions.ResponseTimeout)} ({response}), so the "
                    + $"response timeout would end the call first. Make {nameof(bounds.Abort)} shorter or the response "
                    + "timeout longer.");
        }

        // The last registration counts, and UseTransactions adds one each time.
        if (services.GetRequiredService<ITransactionAgent>() is not PhasedTransactionAgent)
        {
            throw new OrleansConfigurationException(
                "ConfigureTransactionPhases must be called after UseTransactions.");
        }
    }
}
