using ScalableTimers.Collections;

namespace ScalableTimers.Timers;

/// <summary>
/// A <see cref="ProviderTimer"/> whose callback runs in the context that was captured when the timer was created.
/// </summary>
/// <remarks>
/// A separate class, so that timers without a context do not pay for one: .NET's own types suppress the flow of the
/// context when they create timers.
/// </remarks>
internal sealed class ContextTimer(
    TimerCollection collection, TimerCallback callback, object? state, ExecutionContext context)
    : ProviderTimer(collection, callback, state)
{
    private static readonly ContextCallback s_runCallback = static timer => ((ContextTimer)timer!).RunInContext();

    // Guarded by Collection's lock; does not change while the callback runs.
    private ExecutionContext? _context = context;

    protected override void RunCallback() => ExecutionContext.Run(_context!, s_runCallback, this);

    private protected override void ReleaseLocked()
    {
        base.ReleaseLocked();
        _context = null;
    }

    private void RunInContext() => base.RunCallback();
}
