using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Orleans.Timers.Scalable.Registration;

/// <summary>Lets the configuration turn parts off, whatever the code of the program says.</summary>
internal sealed class OrleansTimerSwitches(IServiceProvider services) : IPostConfigureOptions<OrleansTimerOptions>
{
    private const string Section = "ScalableTimers";

    public void PostConfigure(string? name, OrleansTimerOptions options)
    {
        options.Enabled = Read(nameof(options.Enabled), options.Enabled);
        options.DriveClocks = Read(nameof(options.DriveClocks), options.DriveClocks) && options.Enabled;
        options.PromptResponseTimeouts =
            Read(nameof(options.PromptResponseTimeouts), options.PromptResponseTimeouts) && options.Enabled;
        options.ServeStaticTimers =
            Read(nameof(options.ServeStaticTimers), options.ServeStaticTimers) && options.Enabled;
    }

    /// <exception cref="OrleansConfigurationException">The configuration has neither true nor false there.</exception>
    private bool Read(string key, bool otherwise)
    {
        var path = $"{Section}:{key}";
        var value = services.GetService<IConfiguration>()?[path];
        return string.IsNullOrEmpty(value) ? otherwise
            : bool.TryParse(value, out var isOn) ? isOn
            : throw new OrleansConfigurationException(
                $"The configuration has \"{value}\" for {path}; it must be true or false.");
    }
}
