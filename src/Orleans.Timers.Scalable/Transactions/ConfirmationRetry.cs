using Microsoft.Extensions.Options;
using Orleans.Configuration;

namespace Orleans.Timers.Scalable;

/// <summary>Shortens the time after which a transaction's manager repeats a confirmation, unless it is set.</summary>
/// <remarks>
/// Orleans' default is 30 seconds, but its timer manager ends that wait early: participants were confirmed after 8 to
/// 20 seconds. On timers that are never early the default would leave a state without its confirmation, and so unable
/// to commit anything else, for longer than without the plugin.
/// </remarks>
internal sealed class ConfirmationRetry(IServiceProvider services)
    : IPostConfigureOptions<TransactionalStateOptions>
{
    internal static readonly TimeSpan Default = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan s_ofOrleans = new TransactionalStateOptions().ConfirmationRetryDelay;

    public void PostConfigure(string? name, TransactionalStateOptions options)
    {
        if (TransactionPhases.BoundsIn(services).ConfirmRetry is null
            && options.ConfirmationRetryDelay == s_ofOrleans)
        {
            options.ConfirmationRetryDelay = Default;
        }
    }
}
