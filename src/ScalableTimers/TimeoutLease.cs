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
/// <para>
/// <b>Accuracy.</b> The same as for <see cref="TimerService"/>: never early, and late by about one resolution.
/// </para>
/// <para>
/// <b>Order.</b> The token is cancelled by the timeout or by the caller's token, whichever comes first. The other then
/// does nothing.
/// </para>
/// <para>
/// <b>Threads.</b> The token may be used from any thread until the lease is disposed. It must not be used afterwards,
/// because it may then belong to another lease. A cancellation in progress while the lease is disposed affects no other
/// lease. Registrations run on the pool, or on the thread that cancels the caller's token. If a registration throws,
/// the exception goes to the code that cancelled the caller's token; if the timeout cancelled, the exception is logged.
/// </para>
/// </remarks>
public readonly struct TimeoutLease : IDisposable, IEquatable<TimeoutLease>
{
    private readonly LeasedTimeout? _leased;
    private readonly ScheduledTimer _timer;
    private readonly CancellationToken _token;
    private readonly bool _hasTimedOut;

    internal TimeoutLease(LeasedTimeout leased, ScheduledTimer timer)
    {
        _leased = leased;
        _timer = timer;
        _token = leased.Token;
    }

    /// <summary>A lease of a token that needs no source of its own.</summary>
    internal TimeoutLease(CancellationToken token, bool hasTimedOut = false)
    {
        _token = token;
        _hasTimedOut = hasTimedOut;
    }

    /// <summary>Compares two leases.</summary>
    /// <param name="left">The first lease.</param>
    /// <param name="right">The second lease.</param>
    /// <returns>
    /// True if both came from the same call of <see cref="TimerService.RentTimeout"/>, or from two calls that needed no
    /// source and have the same token.
    /// </returns>
    public static bool operator ==(TimeoutLease left, TimeoutLease right) => left.Equals(right);

    /// <summary>Compares two leases.</summary>
    /// <param name="left">The first lease.</param>
    /// <param name="right">The second lease.</param>
    /// <returns>False where <c>==</c> is true.</returns>
    public static bool operator !=(TimeoutLease left, TimeoutLease right) => !left.Equals(right);

    /// <summary>
    /// Gets the token that is cancelled when the timeout has passed or the caller's token is cancelled.
    /// </summary>
    public CancellationToken Token => _token;

    /// <summary>
    /// Gets whether the timeout, and not the caller's token, cancelled the token.
    /// </summary>
    public bool HasTimedOut => _leased is null ? _hasTimedOut : _leased.HasTimedOut(_timer);

    /// <summary>Ends the lease. Further calls do nothing.</summary>
    public void Dispose() => _leased?.Return(_timer);

    /// <inheritdoc/>
    public bool Equals(TimeoutLease other) =>
        ReferenceEquals(_leased, other._leased) && _timer == other._timer && _token == other._token;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is TimeoutLease other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(_leased, _timer, _token);
}
