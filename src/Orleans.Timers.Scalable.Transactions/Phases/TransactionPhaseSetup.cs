using Microsoft.Extensions.Options;
using Orleans.Configuration;

namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>
/// Copies the bounds that Orleans enforces itself to Orleans' options, after all other code has set them.
/// </summary>
internal sealed class TransactionPhaseSetup(
    IOptions<TransactionPhaseOptions> phases, IOptions<OrleansTimerOptions> timers)
    : IPostConfigureOptions<TransactionalStateOptions>
{
    private TransactionPhaseOptions Phases => timers.Value.Enabled ? phases.Value : new();

    public void PostConfigure(string? name, TransactionalStateOptions options)
    {
        options.LockAcquireTimeout = Phases.LockLimit ?? options.LockAcquireTimeout;
        if (Phases.UseFastRecovery)
        {
            options.LockTimeout = TransactionPhaseOptions.FastLockTimeout;
            options.PrepareTimeout = TimeSpan.FromSeconds(2);
            options.RemoteTransactionPingFrequency = TimeSpan.FromSeconds(2);
            options.ConfirmationRetryDelay = TimeSpan.FromSeconds(1);
        }
    }
}
