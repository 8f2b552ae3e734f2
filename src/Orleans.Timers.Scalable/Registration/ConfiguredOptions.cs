using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>Sets options from a section of the program's configuration, after all of its code.</summary>
/// <remarks>So an operator can turn things off without a build.</remarks>
internal sealed class ConfiguredOptions<T>(IServiceProvider services, string path) : IPostConfigureOptions<T>
    where T : class
{
    internal static void AddTo(IServiceCollection services, string path = ConfiguredKeys.Root)
    {
        var keys = new ConfiguredKeys(path, typeof(T));
        if (!services.Any(service => keys.Equals(service.ImplementationInstance)))
        {
            services.AddSingleton(keys);
            services.AddSingleton<IPostConfigureOptions<T>>(services => new ConfiguredOptions<T>(services, path));
        }
    }

    /// <exception cref="OrleansConfigurationException">
    /// The configuration has a key without a value, or a value of the wrong type.
    /// </exception>
    public void PostConfigure(string? name, T options)
    {
        if (name != Options.DefaultName || services.GetService<IConfiguration>()?.GetSection(path) is not { } section)
        {
            return;
        }

        var properties = typeof(T).GetProperties();
        if (section.Value is { Length: > 0 } value)
        {
            throw new OrleansConfigurationException(
                $"The configuration sets {section.Path} to '{value}', but it is a section. Set {section.Path}:"
                    + $"{properties[0].Name}, for example.");
        }

        // The binder would read null as false or zero, and skip a section.
        if (section.GetChildren().FirstOrDefault(child => child.Value is null && properties.Any(
            property => child.Key.Equals(property.Name, StringComparison.OrdinalIgnoreCase))) is { } unset)
        {
            throw new OrleansConfigurationException(
                $"The configuration must set {unset.Path} to one value. Remove the key to leave it to code.");
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
