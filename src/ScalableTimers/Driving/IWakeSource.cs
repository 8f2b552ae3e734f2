namespace ScalableTimers.Driving;

/// <summary>
/// Wakes the driver when <see cref="TimerDriver.NextWakeTick"/> has come, by calling <see cref="TimerDriver.Pass"/>, or
/// <see cref="TimerDriver.Serve"/> if it may wake on several threads at once.
/// </summary>
internal interface IWakeSource : IDisposable
{
    /// <summary>
    /// Starts the source unless it has been started. Called by one thread at a time, before the first call of
    /// <see cref="Arm"/>.
    /// </summary>
    void Start();

    /// <summary>Tells the source that <see cref="TimerDriver.NextWakeTick"/> has changed.</summary>
    void Arm();
}
