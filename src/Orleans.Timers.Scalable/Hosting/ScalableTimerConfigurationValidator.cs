using Microsoft.Extensions.Options;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>Prevents a silo or client from starting with an option of the timer service that is out of range.</summary>
internal sealed class ScalableTimerConfigurationValidator(IOptions<ScalableTimerOptions> options)
    : IConfigurationValidator
{
    public void ValidateConfiguration() => Validate(options);

    /// <exception cref="OrleansConfigurationException">
    /// An option is out of range. The message names it, its value and the range.
    /// </exception>
    internal static ScalableTimerOptions Validate(IOptions<ScalableTimerOptions> options)
    {
        var value = OptionErrors.Read(options);
        OptionErrors.Refuse(value.Errors());
        return value;
    }
}
