using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>Sets options from the configuration of the program, after all of its code.</summary>
/// <remarks>So whoever operates a silo can turn things off without a build.</remarks>
internal sealed class ConfiguredOptions<T>(IServiceProvider services) : IPostConfigureOptions<T>
    where T : class
{
    private static readonly string[] s_keys =
    [
        .. typeof(OrleansTimerOptions).GetProperties().Select(static property => property.Name),
        .. typeof(ScalableTimerOptions).GetProperties().Select(static property => property.Name),
    ];

    /// <exception cref="OrleansConfigurationException">
    /// The configuration has a key that is not known, or a value of another type.
    /// </exception>
    public void PostConfigure(string? name, T options)
    {
        if (services.GetService<IConfiguration>()?.GetSection(nameof(ScalableTimers)) is not { } section)
        {
            return;
        }

        var unknown = section.GetChildren()
            .FirstOrDefault(static child => !s_keys.Contains(child.Key, StringComparer.OrdinalIgnoreCase));
        if (unknown is not null)
        {
            throw new OrleansConfigurationException(
                $"The configuration sets {unknown.Path}, which is not known. Known are {string.Join(", ", s_keys)}.");
        }

        try
        {
            section.Bind(options);
        }
        catch (InvalidOperationException invalid)
        {
            throw new OrleansConfigurationException(invalid.Message, invalid);
        }
    }
}
