using Orleans.Configuration;
using TransactionsDemo.Bank;

namespace TransactionsDemo.OnOrleans;

/// <summary>How long things may take in the bank on Orleans.</summary>
internal sealed record Limits
{
    /// <summary>
    /// The demo's own limits. They are shorter than Orleans' defaults, with which a deadlock of two transfers lasts for
    /// 8 seconds.
    /// </summary>
    private static readonly Limits s_short = new()
    {
        Transfer = TimeSpan.FromSeconds(8),
        Call = TimeSpan.FromSeconds(1),
        Response = TimeSpan.FromSeconds(20),
        ApplyTo = static options =>
        {
            options.LockTimeout = TimeSpan.FromMilliseconds(500);
            options.LockAcquireTimeout = TimeSpan.FromMilliseconds(750);
            options.PrepareTimeout = TimeSpan.FromSeconds(2);
            options.RemoteTransactionPingFrequency = TimeSpan.FromSeconds(2);
            options.ConfirmationRetryDelay = TimeSpan.FromSeconds(1);
        },
    };

    private static readonly Limits s_default = new()
    {
        Transfer = TimeSpan.FromSeconds(30),
        Call = TimeSpan.FromSeconds(12),
        Response = TimeSpan.FromSeconds(30),
        ApplyTo = static _ => { },
    };

    private static readonly Limits s_fast = new()
    {
        Transfer = TimeSpan.FromSeconds(8),
        Call = TimeSpan.FromSeconds(3),
        Response = TimeSpan.FromSeconds(5),
        ApplyTo = static options =>
        {
            options.LockTimeout = TimeSpan.FromSeconds(1);
            options.LockAcquireTimeout = TimeSpan.FromSeconds(1.5);
            options.PrepareTimeout = TimeSpan.FromSeconds(2);
            options.RemoteTransactionPingFrequency = TimeSpan.FromSeconds(2);
            options.ConfirmationRetryDelay = TimeSpan.FromSeconds(1);
        },
    };

    /// <summary>A transfer, with all its attempts. Afterwards it is not tried again.</summary>
    public required TimeSpan Transfer { get; init; }

    /// <summary>
    /// A call to an account. It must be longer than the wait for the account's lock, because a call that is given up
    /// gets the lock all the same, and holds it until <see cref="TransactionalStateOptions.LockTimeout"/>.
    /// </summary>
    public required TimeSpan Call { get; init; }

    /// <summary>
    /// Reading the books of a teller, with all attempts. Enough to outlast most transactions whose outcome is being
    /// found out.
    /// </summary>
    public TimeSpan Lookup { get; } = TimeSpan.FromSeconds(4);

    /// <summary>Any call between grains, by Orleans.</summary>
    public required TimeSpan Response { get; init; }

    /// <summary>Sets the limits of Orleans itself.</summary>
    public required Action<TransactionalStateOptions> ApplyTo { get; init; }

    public static Limits For(TransactionOptionsKind kind) => kind switch
    {
        TransactionOptionsKind.Short => s_short,
        TransactionOptionsKind.Default => s_default,
        _ => s_fast,
    };
}
