using ScalableTimers.Timers;

namespace Orleans.Timers.Scalable.Grains;

/// <summary>Keeps an activation from being collected as idle while delays are pending in it.</summary>
/// <remarks>
/// Orleans counts only calls and the ticks of grain timers with <c>KeepAlive</c> as use, so a grain that awaits a delay
/// outside a call looks idle. So such a timer ticks while delays are pending; its tick does nothing else.
/// <c>DelayDeactivation</c> would work too, but an activation has only one, which belongs to the grain.
/// </remarks>
internal sealed class ActivationPin(
    ITimerRegistry timers, IGrainContext context, ActivationEnd end, TimeSpan period) : DelayScope
{
    // Guards
    //   _pending, _isUsed, _isTicking   any thread, interlocked
    //   _timer                          the thread that moved _isTicking from 0 to 1, then the ticks
    //
    // Invariant: while delays are pending _isTicking is 1, or a thread is about to set it.
    private int _pending;
    private int _isUsed;
    private int _isTicking;
    private IGrainTimer? _timer;

    internal override CancellationToken Token => end.Token;

    internal override void OnBegun()
    {
        Interlocked.Increment(ref _pending);

        // The tick that stops the timer does the reverse: it clears _isTicking, then reads _isUsed again. So at least
        // one of the two sees the other. While _isUsed is set, a tick is still to come, so a busy grain pays for only
        // one read.
        if (Volatile.Read(ref _isUsed) == 0)
        {
            Interlocked.Exchange(ref _isUsed, 1);
            Start();
        }
    }

    internal override void OnEnded() => Interlocked.Decrement(ref _pending);

    internal override string Reason() => end.Reason();

    private void Start()
    {
        if (Interlocked.CompareExchange(ref _isTicking, 1, 0) != 0)
        {
            return;
        }

        // The first tick comes at once, because the activation may be about to be collected as idle.
        _timer = timers.RegisterGrainTimer(
            context,
            static (pin, _) => pin.Tick(),
            this,
            new GrainTimerCreationOptions(TimeSpan.Zero, period) { Interleave = true, KeepAlive = true });
    }

    private Task Tick()
    {
        // A delay that began and ended since the last tick counts too. Otherwise a tick between two short delays of a
        // loop would find the grain idle.
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
