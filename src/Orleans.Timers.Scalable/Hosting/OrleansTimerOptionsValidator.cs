using Microsoft.Extensions.Options;

namespace Orleans.Timers.Scalable;

/// <summary>Prevents a silo or client from starting with an option that is out of range.</summary>
internal sealed class OrleansTimerOptionsValidator(IOptions<OrleansTimerOptions> options) : IConfigurationValidator
{
    public void ValidateConfiguration() => OptionErrors.Refuse(OptionErrors.Read(options).Errors());
}
