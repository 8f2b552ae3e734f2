using Microsoft.Extensions.Options;
using Orleans.Configuration;

namespace Orleans.Timers.Scalable.Transactions.Confirmation;

/// <summary>Gives a shorter default to the time after which a transaction's manager repeats a confirmation.</summary>
/// <remarks>
/// Orleans' default is 30 seconds, but its timer manager ends that wait early: participants were confirmed after 8 to
/// 20 seconds. On timers that are never early the default would leave a state without its confirmation, and so unable
/// to commit anything else, for longer than without the plugin.
/// </remarks>
internal sealed class ConfirmationRetry(IOptions<OrleansTimerOptions> options)
    : IConfigureNamedOptions<TransactionalStateOptions>
{
    internal static readonly TimeSpan Default = TimeSpan.FromSeconds(10);

    public void Configure(string? name, TransactionalStateOptions states)
    {
        if (options.Value.Enabled)
        {
            states.ConfirmationRetryDelay = Default;
        }
    }

    public void Configure(TransactionalStateOptions states) => Configure(Options.DefaultName, states);
}
