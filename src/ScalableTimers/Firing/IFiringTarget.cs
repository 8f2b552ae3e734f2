namespace ScalableTimers.Firing;

/// <summary>An internal state object that runs a user's callback.</summary>
internal interface IFiringTarget
{
    /// <summary>The user's callback; null for the code that awaits a delay.</summary>
    TimerCallback? Callback { get; }

    /// <summary>See <see cref="FiringItem.IsWaitedFor"/>.</summary>
    bool IsWaitedFor { get; }
}
