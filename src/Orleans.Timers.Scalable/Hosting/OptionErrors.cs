using Microsoft.Extensions.Options;

namespace Orleans.Timers.Scalable;

/// <summary>Turns errors of options into the exception by which Orleans refuses to start.</summary>
internal static class OptionErrors
{
    /// <exception cref="OrleansConfigurationException">A validation that other code has added failed.</exception>
    internal static T Read<T>(IOptions<T> options)
        where T : class
    {
        try
        {
            return options.Value;
        }
        catch (OptionsValidationException invalid)
        {
            throw new OrleansConfigurationException(invalid.Message, invalid);
        }
    }

    /// <exception cref="OrleansConfigurationException">There are errors. The message holds all of them.</exception>
    internal static void Refuse(IEnumerable<string> errors)
    {
        var all = string.Join(" ", errors);
        if (all.Length != 0)
        {
            throw new OrleansConfigurationException(all);
        }
    }
}
