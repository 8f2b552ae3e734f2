using ScalableTimers.Clock;
using ScalableTimers.Queues;
using ScalableTimers.Timers;

namespace ScalableTimers;

/// <summary>A <see cref="TimeProvider"/> whose timers are driven by a <see cref="TimerService"/>.</summary>
/// <remarks>
/// <para>
/// Pass it to whatever takes a <see cref="TimeProvider"/>: <c>Task.Delay</c>, <see cref="CancellationTokenSource"/>,
/// <c>WaitAsync</c>, <see cref="PeriodicTimer"/>. Time itself, the time zone and timestamps are those of the service's
/// clock.
/// </para>
/// <para>
/// <b>Cost.</b> Only creating a timer allocates; changing and disposing it do not. All three take constant time,
/// however many timers are pending.
/// </para>
/// <para>
/// <b>Accuracy.</b> A timer never fires before its due time. With an idle thread pool it fires within one
/// <see cref="ScalableTimerOptions.Resolution"/> of the driver's first wake-up after the due time. A periodic timer
/// stays on the grid of its first due time. All periods missed during a pause share one firing.
/// </para>
/// <para><b>Order.</b> Timers that expire in the same tick fire in no particular order, except in virtual time.</para>
/// <para>
/// <b>Threads.</b> All members may be called concurrently. Callbacks run where
/// <see cref="ScalableTimerOptions.CallbackThread"/> says, with no lock held, in the <see cref="ExecutionContext"/>
/// captured when the timer was created. As with .NET's timers, a callback that outlasts its period runs again
/// concurrently with itself. After <c>Dispose</c> the timer starts no callback. A callback that was about to run on
/// another thread may still begin; <c>DisposeAsync</c> waits for it, unless it is called by it.
/// </para>
/// <para>
/// After the service has been disposed, each pending timer and each new one is driven by a timer of the clock, still on
/// time and never early.
/// </para>
/// </remarks>
public sealed class ScalableTimeProvider : TimeProvider
{
    private readonly QueueRegistry _queues;
    private readonly TimeProvider _clock;

    internal ScalableTimeProvider(QueueRegistry queues, TimeProvider clock)
    {
        _queues = queues;
        _clock = clock;
    }

    /// <inheritdoc/>
    public override TimeZoneInfo LocalTimeZone => _clock.LocalTimeZone;

    /// <inheritdoc/>
    public override long TimestampFrequency => _clock.TimestampFrequency;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => _clock.GetUtcNow();

    /// <inheritdoc/>
    public override long GetTimestamp() => _clock.GetTimestamp();

    /// <inheritdoc/>
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
