using ScalableTimers.Timers;

namespace Orleans.Timers.Scalable;

/// <summary>Keeps an activation from being collected as idle while delays are pending in it.</summary>
/// <remarks>
/// Orleans counts calls and the ticks of grain timers with <c>KeepAlive</c> as use, nothing else: to it a grain that awaits a delay
/// outside of a call is idle. So there is such a timer while delays are pending, with a tick that does nothing.
/// <c>DelayDeactivation</c> would do too, but an activation has only one, and it is the grain's.
/// </remarks>
internal sealed class ActivationPin(ITimerRegistry timers, IGrainContext context, TimeSpan period) : DelayObserver
{
    // Guards
    //   _pending, _isUsed, _isTicking   any thread, interlocked
    //   _timer                          whoever has moved _isTicking from 0 to 1, then its ticks
    //
    // Invariant: while delays are pending _isTicking is 1, or somebody is about to set it.
    private int _pending;
    private int _isUsed;
    private int _isTicking;
    private IGrainTimer? _timer;

    internal override void OnBegun()
    {
        Interlocked.Increment(ref _pending);

        // The tick that ends the ticking does the reverse: it clears _isTicking and looks here again. One of us sees the other. While
        // _isUsed is set that tick is yet to come, so that a busy grain pays for a read.
        if (Volatile.Read(ref _isUsed) == 0)
        {
            Interlocked.Exchange(ref _isUsed, 1);
            Start();
        }
    }

    internal override void OnEnded() => Interlocked.Decrement(ref _pending);

    private void Start()
    {
        if (Interlocked.CompareExchange(ref _isTicking, 1, 0) != 0)
        {
            return;
        }

        // The first tick comes at once: the activation may have been idle for almost as long as it may.
        _timer = timers.RegisterGrainTimer(
            context,
            static (pin, _) => pin.Tick(),
            this,
            new GrainTimerCreationOptions(TimeSpan.Zero, period) { Interleave = true, KeepAlive = true });
    }

    private Task Tick()
    {
        // One that was begun and has ended since the last tick counts too: a loop of short delays would else be seen between two of them.
        if (Interlocked.Exchange(ref _isUsed, 0) == 0 && Volatile.Read(ref _pending) == 0)
        {
            _timer?.Dispose();
            Interlocked.Exchange(ref _isTicking, 0);
            if (Volatile.Read(ref _isUsed) != 0)
            {
                Start();
            }
        }

        return Task.CompletedTask;
    }
}
