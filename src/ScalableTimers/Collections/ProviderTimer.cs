using ScalableTimers.Driving;

namespace ScalableTimers.Collections;

/// <summary>A timer of <see cref="ScalableTimeProvider"/>: runs in the context of its creation and accepts what .NET's timers accept.</summary>
/// <remarks>Once the service has been disposed a <see cref="SuccessorTimer"/> on the underlying clock drives it.</remarks>
internal sealed class ProviderTimer : RepeatingEntry
{
    private static readonly ContextCallback s_runCallback = static timer => ((ProviderTimer)timer!).RunInContext();

    // Guards
    //   _context     Collection's lock; does not change while the callback runs
    //   _successor   compare-exchange from null
    private ExecutionContext? _context;
    private SuccessorTimer? _successor;

    /// <param name="collection">The creating thread's.</param>
    /// <param name="service">The collection's service.</param>
    /// <param name="callback">What to run.</param>
    /// <param name="state">What to pass to it.</param>
    public ProviderTimer(TimerCollection collection, TimerService service, TimerCallback callback, object? state)
        : base(collection, service, callback, state) =>
        _context = ExecutionContext.Capture();

    protected override bool OutlivesService => true;

    public override void Dispose()
    {
        base.Dispose();
        Volatile.Read(ref _successor)?.Dispose();
    }

    internal override void HandOver()
    {
        var successor = Volatile.Read(ref _successor);
        if (successor is null)
        {
            var created = new SuccessorTimer(this, Clock);
            successor = Interlocked.CompareExchange(ref _successor, created, null) ?? created;
            if (!ReferenceEquals(successor, created))
            {
                created.Dispose();
            }
        }

        successor.Arm();
    }

    internal override bool TryExpireLocked(out FiringItem item)
    {
        RelinkLocked();
        item = new FiringItem(this);
        return true;
    }

    protected override void ThrowIfOutOfRange(TimeSpan dueTime, TimeSpan period)
    {
        DueTime.ThrowIfNotTimerRange(dueTime, nameof(dueTime));
        DueTime.ThrowIfNotTimerRange(period, nameof(period));
    }

    protected override void RunCallback()
    {
        if (_context is null)
        {
            base.RunCallback();
        }
        else
        {
            ExecutionContext.Run(_context, s_runCallback, this);
        }
    }

    private protected override void ReleaseLocked()
    {
        base.ReleaseLocked();
        _context = null;
    }

    private void RunInContext() => base.RunCallback();
}
