namespace ScalableTimers.Driving;

/// <summary>
/// What wakes the driver: calls <see cref="TimerDriver.Serve"/> when <see cref="TimerDriver.NextWakeTick"/> has come.
/// </summary>
internal interface IWakeSource : IDisposable
{
    /// <summary>Tells the source that <see cref="TimerDriver.NextWakeTick"/> has changed.</summary>
    void Arm();
}
