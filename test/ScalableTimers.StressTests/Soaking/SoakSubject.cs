namespace ScalableTimers.StressTests.Soaking;

/// <summary>One of the services that live as long as the run.</summary>
internal sealed class SoakSubject : IDisposable
{
    private readonly DriverChoice _driver;
    private long _thrown;
    private long _providerUses;

    public SoakSubject(DriverChoice driver, double resolution)
    {
        _driver = driver;
        Resolution = StressTime.Milliseconds(resolution);
        Service = Stress.NewService(driver, resolution, tokenBucketMilliseconds: 50);
    }

    internal TimerService Service { get; }

    internal TimeSpan Resolution { get; }

    public void Dispose() => Service.Dispose();

    internal void Throw()
    {
        Interlocked.Increment(ref _thrown);
        throw new InvalidOperationException("Thrown on purpose.");
    }

    internal void CountProviderUse() => Interlocked.Increment(ref _providerUses);

    /// <summary>
    /// Returns a description of the fault in the service's counts, or null. The service was disposed after all timers
    /// had ended.
    /// </summary>
    internal string? Fault()
    {
        var counted = Service.GetSnapshot();

        // A timer of the provider that is disposed between expiring and firing counts as neither fired nor cancelled.
        var sum = counted.Fired + counted.Cancelled + counted.Skipped + counted.Dropped + counted.HandedOver;
        return counted.Pending == 0
            && counted.Scheduled >= sum
            && counted.Scheduled <= sum + _providerUses
            && counted.Failed == _thrown
            ? null
            : $"driver {_driver} at {Resolution.TotalMilliseconds} ms: {_thrown} callbacks threw, {sum} timers ended, "
                + $"and the service counted {counted}";
    }
}
