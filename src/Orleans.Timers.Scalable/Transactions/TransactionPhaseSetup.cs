using Microsoft.Extensions.Options;
using Orleans.Configuration;

namespace Orleans.Timers.Scalable;

/// <summary>
/// Copies the bounds that Orleans enforces itself to Orleans' options, after all other code has set these.
/// </summary>
internal sealed class TransactionPhaseSetup(IOptions<TransactionPhaseOptions> phases)
    : IPostConfigureOptions<TransactionalStateOptions>,
        IPostConfigureOptions<SiloMessagingOptions>,
        IPostConfigureOptions<ClientMessagingOptions>
{
    public void PostConfigure(string? name, TransactionalStateOptions options)
    {
        var bounds = phases.Value;
        options.LockAcquireTimeout = bounds.LockAcquisition ?? options.LockAcquireTimeout;
        options.LockTimeout = bounds.LockHold ?? options.LockTimeout;
        options.PrepareTimeout = bounds.Prepare ?? options.PrepareTimeout;
        options.RemoteTransactionPingFrequency = bounds.Ping ?? options.RemoteTransactionPingFrequency;
        options.ConfirmationRetryDelay = bounds.ConfirmRetry ?? options.ConfirmationRetryDelay;
    }

    public void PostConfigure(string? name, SiloMessagingOptions options) => SetResponseTimeout(options);

    public void PostConfigure(string? name, ClientMessagingOptions options) => SetResponseTimeout(options);

    private void SetResponseTimeout(MessagingOptions options) =>
        options.ResponseTimeout = phases.Value.Response ?? options.ResponseTimeout;
}
