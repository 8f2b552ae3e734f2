using ScalableTimers.Clock;
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
/// <see cref="ScalableTimerOptions.Firing"/> says, with no lock held, in the <see cref="ExecutionContext"/> captured
/// when the timer was created. As with .NET's timers, a callback that outlasts
/// its period runs again concurrently with itself. After <c>Dispose</c> the timer starts no callback. A callback that
/// was about to run on another thread may still begin; <c>DisposeAsync</c> waits for it.
/// </para>
/// <para>
/// After the service has been disposed, new timers are created by the clock itself, and the clock drives the pending
/// ones, still on time.
/// </para>
/// </remarks>
public sealed class ScalableTimeProvider : TimeProvider
{
    private readonly TimerService _service;
    private readonly TimeProvider _clock;

    internal ScalableTimeProvider(TimerService service, TimeProvider clock)
    {
        _service = service;
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
        if (!_service.TryGetCurrentCollection(out var collection))
        {
            return _clock.CreateTimer(callback, state, dueTime, period);
        }

        var context = ExecutionContext.Capture();
        var timer = context is null
            ? new ProviderTimer(collection, callback, state)
            : new ContextTimer(collection, callback, state, context);
        timer.Begin(dueTime, period);
        return timer;
    }
}
