using ScalableTimers.Clock;

namespace ScalableTimers.Testing;

/// <summary>A timer of a <see cref="ManualTimeProvider"/>, whose gate guards its properties.</summary>
internal sealed class ManualTimer(ManualTimeProvider clock, TimerCallback callback, object? state) : ITimer
{
    private readonly ExecutionContext? _context = ExecutionContext.Capture();

    internal long DueAt { get; set; }

    internal long Period { get; set; }

    internal long Arming { get; set; }

    internal bool IsDisposed { get; set; }

    /// <summary>How many callbacks run, or are about to.</summary>
    internal int Running { get; set; }

    /// <summary>Completes when the timer is disposed and no callback runs; null while nobody waits for that.</summary>
    internal TaskCompletionSource? Ended { get; set; }

    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        DueTime.ThrowIfNotTimerRange(dueTime, nameof(dueTime));
        DueTime.ThrowIfNotTimerRange(period, nameof(period));
        return clock.Arm(this, DueTime.Normalize(dueTime), DueTime.Normalize(period));
    }

    public void Dispose() => clock.Disarm(this);

    // As of .NET's timers, the calling callback counts too: what it awaits here completes after it has returned.
    public ValueTask DisposeAsync() => new(clock.DisarmAsync(this));

    internal void Fire()
    {
        if (_context is null)
        {
            callback(state);
        }
        else
        {
            ExecutionContext.Run(_context, static timer => ((ManualTimer)timer!).Run(), this);
        }
    }

    private void Run() => callback(state);
}
