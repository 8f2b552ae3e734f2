using Microsoft.Extensions.Options;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>Keeps a silo or client from starting with an option out of its range, by an exception of Orleans.</summary>
internal sealed class ScalableTimerConfigurationValidator(IOptions<ScalableTimerOptions> options) : IConfigurationValidator
{
    public void ValidateConfiguration() => Validate(options);

    /// <exception cref="OrleansConfigurationException">An option is out of its range; the message names it, its value and the range.</exception>
    internal static ScalableTimerOptions Validate(IOptions<ScalableTimerOptions> options)
    {
        var value = OptionErrors.Read(options);
        OptionErrors.Refuse(value.Errors());
        return value;
    }
}
