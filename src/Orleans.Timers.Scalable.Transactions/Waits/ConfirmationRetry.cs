using Microsoft.Extensions.Options;
using Orleans.Configuration;

namespace Orleans.Timers.Scalable.Transactions.Waits;

/// <summary>Shortens the default time after which a transaction's manager repeats a confirmation.</summary>
/// <remarks>
/// Until a participant is confirmed, its state commits nothing else. Orleans' default is 30 seconds, but its timer
/// manager ends that wait early. With timers that are never early, a state would stay unconfirmed for longer than
/// without the plugin. A shorter default would not ride out an outage of the storage: a state deactivates its grain
/// after ten failures, and each repeated confirmation that fails is one.
/// </remarks>
internal sealed class ConfirmationRetry(IOptions<OrleansTimerOptions> options)
    : IConfigureNamedOptions<TransactionalStateOptions>
{
    internal static readonly TimeSpan Default = TimeSpan.FromSeconds(3);

    public void Configure(string? name, TransactionalStateOptions states)
    {
        if (options.Value.Enabled)
        {
            states.ConfirmationRetryDelay = Default;
        }
    }

    public void Configure(TransactionalStateOptions states) => Configure(Options.DefaultName, states);
}
