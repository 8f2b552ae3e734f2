namespace ScalableTimers.Driving;

/// <summary>
/// Wakes the driver when <see cref="TimerDriver.NextWakeTick"/> has come, by calling <see cref="RoundDriver.Pass"/>, or
/// <see cref="TimerDriver.Serve"/> if it may wake on several threads at once.
/// </summary>
internal interface IWakeSource
{
    /// <summary>
    /// Starts the source unless it has been started. Called by one thread at a time, before the first call of
    /// <see cref="Arm"/>.
    /// </summary>
    void Start();

    /// <summary>Tells the source that <see cref="TimerDriver.NextWakeTick"/> has changed.</summary>
    void Arm();

    /// <summary>
    /// Makes the driver look at all queues, because the service has been disposed. With nothing pending, nothing refers
    /// to the source.
    /// </summary>
    void RunOut();
}
