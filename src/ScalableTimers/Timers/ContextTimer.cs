using ScalableTimers.Collections;

namespace ScalableTimers.Timers;

/// <summary>A <see cref="ProviderTimer"/> whose callback runs in the context that it was created in.</summary>
/// <remarks>
/// Apart, because .NET's own types suppress the flow of the context when they create timers, and need not pay for it.
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
