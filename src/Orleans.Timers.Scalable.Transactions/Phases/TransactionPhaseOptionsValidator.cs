using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable.Registration;
using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Prevents a silo from starting with bounds that are out of range or do not reach the transactions.</summary>
internal sealed class TransactionPhaseOptionsValidator(
    IServiceProvider services, IOptions<TransactionPhaseOptions> phases, IOptions<OrleansTimerOptions> timers)
    : IConfigurationValidator
{
    public void ValidateConfiguration()
    {
        OptionErrors.Refuse(OptionErrors.Read(phases).Errors());

        if (timers.Value.Enabled
            && services.GetRequiredService<INamedTransactionalStateStorageFactory>() is not FencedStateStorageFactory)
        {
            throw new OrleansConfigurationException(
                "ConfigureTransactionPhases must be called after other registrations of an "
                    + "INamedTransactionalStateStorageFactory, which replace its own.");
        }
    }
}
