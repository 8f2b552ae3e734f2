using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Orleans.Timers.Scalable;

/// <summary>Prevents a silo or client from starting with an option that is out of range.</summary>
internal sealed class OptionsValidator<TOptions>(
    IOptions<TOptions> options, Func<TOptions, IEnumerable<string>> errors) : IConfigurationValidator
    where TOptions : class
{
    public void ValidateConfiguration() => OptionErrors.Refuse(errors(OptionErrors.Read(options)));

    /// <param name="services">Where to register the validator.</param>
    /// <param name="errors">Returns a sentence for each invalid value.</param>
    internal static void AddTo(IServiceCollection services, Func<TOptions, IEnumerable<string>> errors) =>
        services.AddSingleton<IConfigurationValidator>(services =>
            new OptionsValidator<TOptions>(services.GetRequiredService<IOptions<TOptions>>(), errors));
}
