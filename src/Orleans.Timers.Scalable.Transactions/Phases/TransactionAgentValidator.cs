using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Prevents a silo or client from starting with a transaction agent that is not the plugin's.</summary>
internal sealed class TransactionAgentValidator(IServiceProvider services, IOptions<OrleansTimerOptions> options)
    : IConfigurationValidator
{
    public void ValidateConfiguration()
    {
        // The last registration counts, and UseTransactions adds one each time.
        if (options.Value.Enabled && services.GetService<ITransactionAgent>() is not (null or PhasedTransactionAgent))
        {
            throw new OrleansConfigurationException(
                "AddCallCancellation and ConfigureTransactionPhases must be called after the last call of "
                    + "UseTransactions and after other registrations of a transaction agent, which replace theirs.");
        }
    }
}
