using Orleans.Configuration;

namespace TransactionsDemo.OnOrleans;

/// <summary>
/// How long things may take in the bank on Orleans. Shorter than Orleans' defaults: with those, accounts that two transfers have locked
/// against each other stay locked for 8 seconds.
/// </summary>
internal static class Limits
{
    /// <summary>A transfer, with all its attempts. Later it is not tried again.</summary>
    public static readonly TimeSpan Transfer = TimeSpan.FromSeconds(8);

    /// <summary>
    /// A call to an account. Longer than waiting for its lock may take: a call that is given up gets the lock all the same, and holds it
    /// until <see cref="TransactionalStateOptions.LockTimeout"/>.
    /// </summary>
    public static readonly TimeSpan Call = TimeSpan.FromSeconds(1);

    /// <summary>Any call between grains, by Orleans.</summary>
    public static readonly TimeSpan Response = TimeSpan.FromSeconds(20);

    public static void Apply(TransactionalStateOptions options)
    {
        options.LockTimeout = TimeSpan.FromMilliseconds(500);
        options.LockAcquireTimeout = TimeSpan.FromMilliseconds(750);
        options.PrepareTimeout = TimeSpan.FromSeconds(2);
        options.RemoteTransactionPingFrequency = TimeSpan.FromSeconds(2);
        options.ConfirmationRetryDelay = TimeSpan.FromSeconds(1);
    }
}
