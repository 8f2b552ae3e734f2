namespace ScalableTimers.Firing;

/// <summary>An object that fires itself when it has expired.</summary>
internal interface IFiringTarget
{
    /// <summary>What <see cref="Fire"/> runs; null for the code that awaits a delay.</summary>
    TimerCallback? Callback { get; }

    /// <summary>Runs user code, with no lock held.</summary>
    void Fire();
}
