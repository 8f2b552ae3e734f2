using ScalableTimers.Clock;

namespace ScalableTimers.Testing;

/// <summary>A timer of a <see cref="ManualTimeProvider"/>. The provider's gate guards the timer's properties.</summary>
internal sealed class ManualTimer(ManualTimeProvider clock, TimerCallback callback, object? state) : ITimer
{
    private readonly ExecutionContext? _context = ExecutionContext.Capture();

    internal long DueAt { get; set; }

    internal long Period { get; set; }

    internal long Arming { get; set; }

    internal bool IsDisposed { get; set; }

    /// <summary>How many callbacks are running or about to run.</summary>
    internal int Running { get; set; }

    /// <summary>Completes when the timer is disposed and no callback runs. Null while nobody waits for that.</summary>
    internal TaskCompletionSource? Ended { get; set; }

    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        DueTime.ThrowIfNotTimerRange(dueTime, nameof(dueTime));
        DueTime.ThrowIfNotTimerRange(period, nameof(period));
        return clock.Arm(this, DueTime.Normalize(dueTime), DueTime.Normalize(period));
    }

    public void Dispose() => clock.Disarm(this);

    // As with .NET's timers, the calling callback counts too: a task that it awaits here completes only after the
    // callback has returned.
    public ValueTask DisposeAsync() => new(clock.DisarmAsync(this));

    internal PendingTimer Describe(TimeSpan dueIn) => PendingTimerReader.Describe(callback, state, dueIn);

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
