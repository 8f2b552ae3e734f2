using ScalableTimers.Timeouts;

namespace ScalableTimers;

/// <summary>
/// The timeout of one operation. Dispose it when the operation ends: <c>using var lease = timers.RentTimeout(timeout,
/// cancellationToken);</c>
/// </summary>
/// <remarks>
/// <para>
/// <b>Cost.</b> Renting and disposing take constant time and allocate nothing in a steady state. An operation that ends
/// in time leaves nothing behind: the token's source is reused, and its old registrations are gone.
/// </para>
/// <para><b>Accuracy.</b> That of the service: never early, and late by about one resolution.</para>
/// <para>
/// <b>Order.</b> The token is cancelled by the timeout or by the caller's token, whichever comes first. The other then
/// does nothing.
/// </para>
/// <para>
/// <b>Threads.</b> The token may be used from any thread until the lease is disposed. It must not be used afterwards,
/// because it may then belong to another lease. A cancellation in progress while the lease is disposed affects no other
/// lease. Registrations run where callbacks do, or on the thread that cancels the caller's token. If a registration
/// throws, the exception goes to the code that cancelled the caller's token; if the timeout cancelled, it is treated as
/// one of a callback.
/// </para>
/// <para>
/// <b>Equality.</b> Two leases are equal if they came from the same call, or from calls that needed no source and have
/// the same token for the same reason.
/// </para>
/// </remarks>
public readonly record struct TimeoutLease : IDisposable
{
    private readonly LeasedTimeout? _leased;
    private readonly ScheduledTimer _timer;
    private readonly bool _hasTimedOut;

    internal TimeoutLease(LeasedTimeout leased, ScheduledTimer timer)
    {
        _leased = leased;
        _timer = timer;
        Token = leased.Token;
    }

    /// <summary>A lease of a token that needs no source of its own.</summary>
    internal TimeoutLease(CancellationToken token, bool hasTimedOut = false)
    {
        Token = token;
        _hasTimedOut = hasTimedOut;
    }

    /// <summary>
    /// Gets the token that is cancelled when the timeout has passed or the caller's token is cancelled.
    /// </summary>
    public CancellationToken Token { get; }

    /// <summary>Gets whether the timeout, and not the caller's token, cancelled the token.</summary>
    public bool HasTimedOut => _leased is null ? _hasTimedOut : _leased.HasTimedOut(_timer);

    /// <summary>Ends the lease. Further calls do nothing.</summary>
    public void Dispose() => _leased?.Return(_timer);
}
