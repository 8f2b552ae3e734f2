using ScalableTimers.Queues;
using ScalableTimers.Timers;

namespace ScalableTimers;

/// <summary>A service's clock, with timers that the service drives: <see cref="TimerService.TimeProvider"/>.</summary>
internal sealed class ScalableTimeProvider(QueueRegistry queues, TimeProvider clock) : TimeProvider
{
    public override TimeZoneInfo LocalTimeZone => clock.LocalTimeZone;

    public override long TimestampFrequency => clock.TimestampFrequency;

    public override DateTimeOffset GetUtcNow() => clock.GetUtcNow();

    public override long GetTimestamp() => clock.GetTimestamp();

    internal TimeProvider Clock => clock;

    /// <summary>The same timers with the time of another clock.</summary>
    internal ScalableTimeProvider With(TimeProvider other) =>
        ReferenceEquals(other, clock) ? this : new ScalableTimeProvider(queues, other);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        var queue = QueueRegistry.Current(queues);
        var timer = new ProviderTimer(queue, callback, state, ExecutionContext.Capture());
        timer.Change(dueTime, period);
        return timer;
    }
}
