namespace ScalableTimers.Timers;

/// <summary>
/// What only some delays need, in a separate object so that the others do not carry the fields. A delay that has had
/// one keeps it for its next lives.
/// </summary>
internal sealed class DelayScope
{
    private DelayObserver? _observer;

    /// <summary>The registration with the token of the scope.</summary>
    internal CancellationTokenRegistration Registration { get; set; }

    /// <summary>Whether that token has ended the delay.</summary>
    internal bool HasCancelled { get; set; }

    internal void Enter(DelayObserver? observer, CancellationTokenRegistration registration)
    {
        _observer = observer;
        Registration = registration;
    }

    /// <summary>Tells the observer of the end. Returns its reason, if it has one.</summary>
    internal string? Leave(DelayOutcome outcome)
    {
        var observer = _observer;
        var reason = outcome is DelayOutcome.CancelledByScope or DelayOutcome.Stopped
            ? observer?.ReasonOf(outcome)
            : null;
        if (Registration.Unregister())
        {
            Registration = default;
        }

        _observer = null;
        HasCancelled = false;
        observer?.OnEnded();
        return reason;
    }
}
