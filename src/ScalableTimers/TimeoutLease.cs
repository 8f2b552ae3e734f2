using ScalableTimers.Timeouts;

namespace ScalableTimers;

/// <summary>
/// A timeout of one operation, to be disposed when the operation ends: <c>using var lease = timers.RentTimeout(timeout,
/// cancellationToken);</c>
/// </summary>
/// <remarks>
/// <para>
/// <b>Cost.</b> Renting and disposing take constant time and allocate nothing in a steady state. An operation that ends
/// in time leaves nothing behind: the source of the token is used again, without what was registered with it.
/// </para>
/// <para><b>Accuracy.</b> As <see cref="TimerService"/>: never early, and late by about one resolution.</para>
/// <para>
/// <b>Order.</b> Whichever comes first cancels the token, the timeout or the caller's token; the other then does
/// nothing.
/// </para>
/// <para>
/// <b>Threads.</b> The token may be used from any thread until the lease is disposed, and must not be used afterwards,
/// when it may be somebody else's. A cancellation that is under way while the lease is disposed reaches nobody else.
/// Registrations run on the pool, or where the caller's token is cancelled; an exception of one is theirs who cancels,
/// or logged if it was the timeout.
/// </para>
/// </remarks>
public readonly struct TimeoutLease : IDisposable, IEquatable<TimeoutLease>
{
    private readonly LeasedTimeout? _leased;
    private readonly long _version;
    private readonly CancellationToken _token;
    private readonly bool _hasTimedOut;

    internal TimeoutLease(LeasedTimeout leased, long version)
    {
        _leased = leased;
        _version = version;
        _token = leased.Token;
    }

    /// <summary>A lease of a token that nothing has to be done for.</summary>
    internal TimeoutLease(CancellationToken token, bool hasTimedOut = false)
    {
        _token = token;
        _hasTimedOut = hasTimedOut;
    }

    /// <summary>Compares two leases.</summary>
    /// <param name="left">The one.</param>
    /// <param name="right">The other.</param>
    /// <returns>
    /// True if both came from the same call of <see cref="TimerService.RentTimeout"/>, or from two that needed no
    /// source and have the same token.
    /// </returns>
    public static bool operator ==(TimeoutLease left, TimeoutLease right) => left.Equals(right);

    /// <summary>Compares two leases.</summary>
    /// <param name="left">The one.</param>
    /// <param name="right">The other.</param>
    /// <returns>False where <c>==</c> is true.</returns>
    public static bool operator !=(TimeoutLease left, TimeoutLease right) => !left.Equals(right);

    /// <summary>
    /// Gets the token that is cancelled when the timeout has passed or the caller's token is cancelled.
    /// </summary>
    public CancellationToken Token => _token;

    /// <summary>
    /// Gets whether it was the timeout that cancelled the token, and not the caller's token. False once the lease has
    /// been disposed, unless its timeout was zero.
    /// </summary>
    public bool HasTimedOut => _leased is null ? _hasTimedOut : _leased.HasTimedOut(_version);

    /// <summary>Ends the lease. More than once does nothing more.</summary>
    public void Dispose() => _leased?.Return(_version);

    /// <inheritdoc/>
    public bool Equals(TimeoutLease other) =>
        ReferenceEquals(_leased, other._leased) && _version == other._version && _token == other._token;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is TimeoutLease other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(_leased, _version, _token);
}
