using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Queues;

namespace ScalableTimers.Timers;

/// <summary>
/// A timer of <see cref="ScalableTimeProvider"/>. Like .NET's timers it accepts their durations, its firings overlap,
/// and it outlives the service.
/// </summary>
/// <param name="queue">The queue of the calling thread.</param>
/// <param name="callback">What to run.</param>
/// <param name="state">What to pass to it.</param>
/// <param name="context">The context to run it in; null for that of the thread.</param>
internal sealed class ProviderTimer(
    TimerQueue queue, TimerCallback callback, object? state, ExecutionContext? context)
    : ChangeableTimer(queue, callback, state), IResumption
{
    private static readonly ContextCallback s_run = static timer => ((ProviderTimer)timer!).RunHere();

    private ExecutionContext? _context = context;

    protected override PendingTimerKind Kind => PendingTimerKind.TimeProvider;

    protected override FiringItem Item => new(this);

    protected override bool EndsWithService => false;

    protected override TimeSpan PeriodOf(TimeSpan dueTime, TimeSpan period)
    {
        DueTime.ThrowIfTooLongForTimers(dueTime);
        DueTime.ThrowIfTooLongForTimers(period);

        // .NET's timers count in whole milliseconds, so a shorter period means none. Code may rely on that.
        return period.Ticks < TimeSpan.TicksPerMillisecond ? Timeout.InfiniteTimeSpan : period;
    }

    protected override bool TryOverlapLocked(bool isLast) => true;

    protected override void Run()
    {
        if (_context is { } context)
        {
            ExecutionContext.Run(context, s_run, this);
        }
        else
        {
            RunHere();
        }
    }

    protected override void ReleaseContextLocked() => _context = null;

    void IResumption.Resume() => Fire();

    private void RunHere() => base.Run();
}
