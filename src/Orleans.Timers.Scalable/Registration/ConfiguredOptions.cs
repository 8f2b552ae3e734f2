using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>Sets options from the program's configuration, after all of its code.</summary>
/// <remarks>So an operator can turn things off without a build.</remarks>
internal sealed class ConfiguredOptions<T>(IServiceProvider services) : IPostConfigureOptions<T>
    where T : class
{
    private static readonly string[] s_keys =
    [
        .. typeof(OrleansTimerOptions).GetProperties().Select(static property => property.Name),
        .. typeof(TimerServiceOptions).GetProperties().Select(static property => property.Name),
    ];

    /// <exception cref="OrleansConfigurationException">
    /// The configuration has an unknown key, a key without a value, or a value of the wrong type.
    /// </exception>
    public void PostConfigure(string? name, T options)
    {
        if (name != Options.DefaultName
            || services.GetService<IConfiguration>()?.GetSection(nameof(ScalableTimers)) is not { } section)
        {
            return;
        }

        if (section.Value is { Length: > 0 } value)
        {
            throw new OrleansConfigurationException(
                $"The configuration sets {section.Path} to '{value}', but it is a section. Set {section.Path}:"
                    + $"{nameof(OrleansTimerOptions.Enabled)}, for example.");
        }

        foreach (var child in section.GetChildren())
        {
            if (!s_keys.Contains(child.Key, StringComparer.OrdinalIgnoreCase))
            {
                throw new OrleansConfigurationException(
                    $"The configuration sets the unknown key {child.Path}. Known are {string.Join(", ", s_keys)}.");
            }

            // The binder would read null as false or zero, and skip a section.
            if (child.Value is null || child.GetChildren().Any())
            {
                throw new OrleansConfigurationException(
                    $"The configuration must set {child.Path} to one value. Remove the key to leave it to code.");
            }
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
