using Microsoft.Extensions.Options;
using Orleans.Configuration;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>
/// Copies the bounds that Orleans enforces itself to Orleans' options, after all other code has set them.
/// </summary>
internal sealed class TransactionPhaseSetup(IOptions<TransactionPhaseOptions> phases)
    : IPostConfigureOptions<TransactionalStateOptions>, IPostConfigureOptions<SiloMessagingOptions>
{
    public void PostConfigure(string? name, TransactionalStateOptions options)
    {
        options.LockAcquireTimeout = phases.Value.LockAcquisition ?? options.LockAcquireTimeout;
        if (phases.Value.RecoversFast)
        {
            options.LockTimeout = TransactionPhaseOptions.FastLockTimeout;
            options.PrepareTimeout = TimeSpan.FromSeconds(2);
            options.RemoteTransactionPingFrequency = TimeSpan.FromSeconds(2);
            options.ConfirmationRetryDelay = TimeSpan.FromSeconds(1);
        }
    }

    public void PostConfigure(string? name, SiloMessagingOptions options)
    {
        if (phases.Value.RecoversFast)
        {
            options.ResponseTimeout = TimeSpan.FromSeconds(5);

            // While an activation deactivates, Orleans delivers nothing to it until its requests end. A commit may wait
            // for just that: for the outcome of the transaction before it.
            options.CancelRequestOnTimeout = true;
        }
    }
}
