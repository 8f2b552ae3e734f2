using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;

namespace Orleans.Timers.Scalable;

/// <summary>Gives a shorter default to the time after which a transaction's manager repeats a confirmation.</summary>
/// <remarks>
/// Orleans' default is 30 seconds, but its timer manager ends that wait early: participants were confirmed after 8 to
/// 20 seconds. On timers that are never early the default would leave a state without its confirmation, and so unable
/// to commit anything else, for longer than without the plugin.
/// </remarks>
internal static class ConfirmationRetry
{
    internal static readonly TimeSpan Default = TimeSpan.FromSeconds(10);

    /// <summary>Sets the default in front of all that an application configures, which therefore prevails.</summary>
    internal static void AddDefault(IServiceCollection services) => services.Insert(
        0,
        ServiceDescriptor.Singleton<IConfigureOptions<TransactionalStateOptions>>(
            new ConfigureNamedOptions<TransactionalStateOptions>(
                name: null, static options => options.ConfirmationRetryDelay = Default)));
}
