namespace ScalableTimers.Firing;

/// <summary>A state that is not a user's, but runs a user's callback.</summary>
internal interface IFiringTarget
{
    /// <summary>The user's callback; null for the code that awaits a delay.</summary>
    TimerCallback? Callback { get; }
}
