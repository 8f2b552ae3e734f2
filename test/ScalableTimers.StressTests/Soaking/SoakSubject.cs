using Microsoft.Extensions.Logging.Abstractions;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>One of the services that live as long as the run.</summary>
internal sealed class SoakSubject(TimerServiceDriver driver, double resolution)
{
    private long _thrown;

    internal TimerService Service { get; } =
        Stress.NewService(driver, resolution, tokenBucketMilliseconds: 50, NullLogger<TimerService>.Instance);

    internal TimeSpan Resolution { get; } = StressTime.Milliseconds(resolution);

    internal void Throw()
    {
        Interlocked.Increment(ref _thrown);
        throw new InvalidOperationException("Thrown on purpose.");
    }

    /// <summary>
    /// Returns a description of the fault in the service's counts, or null. The service was disposed after all timers
    /// had ended.
    /// </summary>
    internal string? Fault()
    {
        var counted = Service.GetSnapshot();
        var sum = counted.Fired + counted.Cancelled + counted.Skipped + counted.Dropped;
        return counted.Pending == 0 && counted.Scheduled == sum && counted.Failed == _thrown
            ? null
            : $"driver {driver} at {Resolution.TotalMilliseconds} ms: {_thrown} callbacks threw, {sum} timers ended, "
                + $"and the service counted {counted}";
    }
}
