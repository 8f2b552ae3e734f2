namespace ScalableTimers.Timers;

/// <summary>
/// A delay in its <see cref="DelayScope"/>: in a separate object, so that delays without a scope do not carry the
/// fields. A delay that has had one keeps it for its next lives.
/// </summary>
internal sealed class ScopeRegistration
{
    private DelayScope? _scope;
    private CancellationTokenRegistration _registration;

    /// <summary>The token of the scope that ends the delay.</summary>
    internal CancellationToken Token { get; private set; }

    /// <summary>Whether that token has ended the delay.</summary>
    internal bool HasCancelled { get; set; }

    internal void Enter(DelayScope scope, Action<object?> cancel, DelayEntry delay, CancellationToken token)
    {
        _scope = scope;
        Token = token;
        _registration = token.UnsafeRegister(cancel, delay);
    }

    /// <summary>Tells the scope of the end.</summary>
    /// <returns>Why the scope has ended the delay, if it has and says so.</returns>
    internal string? Leave(DelayOutcome outcome)
    {
        // The callback that has ended the delay no longer touches it.
        if (HasCancelled || _registration.Unregister())
        {
            _registration = default;
        }

        var scope = _scope;
        var reason = outcome == DelayOutcome.CancelledByScope ? scope?.Reason() : null;
        _scope = null;
        Token = default;
        HasCancelled = false;
        scope?.OnEnded();
        return reason;
    }

    /// <summary>Waits for a callback that lost the race and has not returned yet.</summary>
    internal void Dispose()
    {
        _registration.Dispose();
        _registration = default;
    }
}
