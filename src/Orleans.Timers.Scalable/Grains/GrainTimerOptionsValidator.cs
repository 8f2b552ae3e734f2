using Microsoft.Extensions.Options;

namespace Orleans.Timers.Scalable;

/// <summary>Prevents a silo from starting with an option that is out of range.</summary>
internal sealed class GrainTimerOptionsValidator(IOptions<GrainTimerOptions> options) : IConfigurationValidator
{
    public void ValidateConfiguration() => OptionErrors.Refuse(OptionErrors.Read(options).Errors());
}
