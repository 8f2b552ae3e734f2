namespace ScalableTimers.Firing;

/// <summary>An internal state object that resumes code after a wait or, if it says so, runs a callback.</summary>
internal interface IFiringTarget
{
    /// <summary>The user's callback; null for code after a wait.</summary>
    TimerCallback? Callback => null;

    /// <summary>See <see cref="FiringItem.IsWaitedFor"/>.</summary>
    bool IsWaitedFor => false;
}
