using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Prevents a silo from starting with bounds that do not reach the storage of transactions.</summary>
internal sealed class FencingValidator(IServiceProvider services, IOptions<OrleansTimerOptions> timers)
    : IConfigurationValidator
{
    public void ValidateConfiguration()
    {
        if (timers.Value.Enabled
            && services.GetRequiredService<INamedTransactionalStateStorageFactory>() is not FencedStateStorageFactory)
        {
            throw new OrleansConfigurationException(
                "ConfigureTransactionPhases must be called after other registrations of an "
                    + "INamedTransactionalStateStorageFactory, which replace its own.");
        }
    }
}
