using Microsoft.Extensions.Options;

namespace Orleans.Timers.Scalable;

/// <summary>Keeps a silo or client from starting with an option out of its range.</summary>
internal sealed class CallDeadlineOptionsValidator(IOptions<CallDeadlineOptions> options) : IConfigurationValidator
{
    public void ValidateConfiguration() => OptionErrors.Refuse(OptionErrors.Read(options).Errors());
}
