using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>Prevents a silo from starting with bounds that are out of range.</summary>
internal sealed class TransactionPhaseOptionsValidator(IOptions<TransactionPhaseOptions> phases)
    : IConfigurationValidator
{
    public void ValidateConfiguration() => OptionErrors.Refuse(OptionErrors.Read(phases).Errors());
}
