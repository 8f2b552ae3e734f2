using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>Turns option errors into the exception with which Orleans refuses to start.</summary>
internal static class OptionErrors
{
    /// <summary>Prevents a silo or client from starting with an option that is out of range.</summary>
    /// <param name="services">Where to register the validator.</param>
    /// <param name="errors">Returns one sentence for each invalid value.</param>
    internal static void Validate<T>(this IServiceCollection services, Func<T, IEnumerable<string>> errors)
        where T : class =>
        services.AddSingleton<IConfigurationValidator>(services =>
            new Validator<T>(services.GetRequiredService<IOptions<T>>(), errors));

    /// <exception cref="OrleansConfigurationException">A validation added by other code failed.</exception>
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

    /// <exception cref="OrleansConfigurationException">There are errors. The message lists all of them.</exception>
    internal static void Refuse(IEnumerable<string> errors)
    {
        var all = string.Join(" ", errors);
        if (all.Length != 0)
        {
            throw new OrleansConfigurationException(all);
        }
    }

    internal sealed class Validator<T>(IOptions<T> options, Func<T, IEnumerable<string>> errors)
        : IConfigurationValidator
        where T : class
    {
        public void ValidateConfiguration() => Refuse(errors(Read(options)));
    }
}
