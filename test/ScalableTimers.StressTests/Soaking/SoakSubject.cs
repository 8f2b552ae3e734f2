namespace ScalableTimers.StressTests.Soaking;

/// <summary>One of the services that live as long as the run.</summary>
internal sealed class SoakSubject
{
    /// <summary>The longest due time of timers that are left to fire.</summary>
    internal static readonly TimeSpan Longest = TimeSpan.FromSeconds(3);

    private readonly TimeSpan _bucket = TimeSpan.FromMilliseconds(50);
    private readonly DriverChoice _driver;
    private readonly long _allowance;
    private readonly long _tokenAllowance;
    private long _thrown;
    private long _failedRegistrations;
    private long _providerUses;

    public SoakSubject(DriverChoice driver, double resolution)
    {
        _driver = driver;
        Resolution = StressTime.Milliseconds(resolution);
        Service = new TimerService(new ScalableTimerOptions
        {
            Driver = driver == DriverChoice.Timer ? TimerDriverKind.Timer : TimerDriverKind.Thread,
            Firing = driver == DriverChoice.FiringThread ? FiringMode.DriverThread : FiringMode.Auto,
            Resolution = Resolution,
            TimeoutTokenBucket = _bucket,
        });

        // P2 allows two resolutions for long due times. A callback that blocks on the driver's thread delays others by
        // five more.
        var ticks = driver == DriverChoice.FiringThread ? 7 : 2;
        _allowance = StressTime.Units(Resolution * ticks);
        _tokenAllowance = StressTime.Units((Resolution * ticks) + _bucket);
    }

    internal TimerService Service { get; }

    internal TimeSpan Resolution { get; }

    public override string ToString() => $"driver {_driver} at {Resolution.TotalMilliseconds} ms";

    /// <summary>The lateness that the promise allows on a machine without pauses.</summary>
    internal long Allowance(SoakKind kind) => kind == SoakKind.SharedTimeout ? _tokenAllowance : _allowance;

    internal void CountThrown() => Interlocked.Increment(ref _thrown);

    internal void CountProviderUse() => Interlocked.Increment(ref _providerUses);

    internal void CountFailedRegistration() => Interlocked.Increment(ref _failedRegistrations);

    /// <summary>
    /// Returns a description of the fault in the service's counts, or null. The service was disposed after all timers
    /// had ended.
    /// </summary>
    internal string? Fault()
    {
        var counted = Service.GetSnapshot();

        // A timer of the provider that is disposed between expiring and firing counts as neither fired nor cancelled.
        var most = Volatile.Read(ref _providerUses);
        var sum = counted.Fired + counted.Cancelled + counted.Skipped + counted.Dropped + counted.HandedOver;
        return counted.Pending == 0
            && counted.Scheduled >= sum
            && counted.Scheduled <= sum + most
            && counted.Failed == _thrown
            && counted.FailedRegistrations == _failedRegistrations
            ? null
            : $"{this}: {_thrown} callbacks and {_failedRegistrations} registrations threw, "
                + $"{sum} timers ended, and the service counted {counted}";
    }
}
