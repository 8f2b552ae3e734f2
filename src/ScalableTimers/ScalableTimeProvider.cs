using ScalableTimers.Clock;
using ScalableTimers.Queues;
using ScalableTimers.Timers;

namespace ScalableTimers;

/// <summary>
/// The clock of a service, with timers that the service drives: <see cref="TimerService.TimeProvider"/>.
/// </summary>
internal sealed class ScalableTimeProvider : TimeProvider
{
    private readonly QueueRegistry _queues;
    private readonly TimeProvider _clock;

    internal ScalableTimeProvider(QueueRegistry queues, TimeProvider clock)
    {
        _queues = queues;
        _clock = clock;
    }

    public override TimeZoneInfo LocalTimeZone => _clock.LocalTimeZone;

    public override long TimestampFrequency => _clock.TimestampFrequency;

    public override DateTimeOffset GetUtcNow() => _clock.GetUtcNow();

    public override long GetTimestamp() => _clock.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        ArgumentNullException.ThrowIfNull(callback);
        DueTime.ThrowIfNotTimerRange(dueTime, nameof(dueTime));
        DueTime.ThrowIfNotTimerRange(period, nameof(period));
        var queue = QueueRegistry.CurrentOrClosed(_queues);
        var timer = new ChangeableTimer(queue, callback, state, ExecutionContext.Capture());
        timer.Set(DueTime.Normalize(dueTime), DueTime.Normalize(period));
        return timer;
    }
}
