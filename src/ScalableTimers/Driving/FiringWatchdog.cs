using ScalableTimers.Clock;
using ScalableTimers.Firing;

namespace ScalableTimers.Driving;

/// <summary>
/// What the firing thread runs, laid open for the watchdog: who sees that it does not get on, and how driving passes.
/// </summary>
/// <remarks>
/// The watchdog looks every four resolutions. If it finds the firing thread inside a callback, it looks again after
/// one, and if it is the same callback, takes over from it: a callback that blocks holds up the others for five
/// resolutions at most. If it is another callback of the same batch, the firing thread gets on, but slowly, and the
/// pool is to help. When the firing thread has run nothing between two looks the watchdog sleeps until it does, so that
/// a service with nothing to do costs nothing.
/// </remarks>
internal sealed class FiringWatchdog : IDisposable
{
    private const int LookTicks = 4;
    private const int SecondLookTicks = 1;

    // _state is one of these, or twice the number of batches that have been run since somebody watches, plus one while
    // the next one runs.
    private const long Unwatched = -1;
    private const long Watched = 0;

    // Guards
    //   _state      interlocked. Unwatched to Watched: a thread that begins to watch. An even number to the next odd
    //               one, and that one to the next even one: the firing thread. An odd number to Unwatched: the
    //               watchdog, which drives from then on. Anything to Unwatched: a watchdog that ends with the service.
    //   _batch      the firing thread, before _state says that it runs
    //   _isAsleep   the watchdog
    private readonly TickClock _clock;
    private readonly TimeSpan _pause;
    private readonly TimeSpan _shortPause;
    private readonly AutoResetEvent _wake = new(false);
    private long _state = Unwatched;
    private FiringBatch? _batch;
    private bool _isAsleep;
    private bool _isDisposed;

    public FiringWatchdog(TickClock clock)
    {
        _clock = clock;
        _pause = DueTime.RoundUpToMilliseconds(clock.ToTimeSpan(clock.TimestampAt(LookTicks)));
        _shortPause = DueTime.RoundUpToMilliseconds(clock.ToTimeSpan(clock.TimestampAt(SecondLookTicks)));
    }

    /// <summary>Whether somebody watches, and nothing runs.</summary>
    internal bool IsWatched => IsIdle(Volatile.Read(ref _state));

    /// <summary>
    /// Ends the watch, with the service. The event is left to the garbage collector: the firing thread may still signal
    /// it.
    /// </summary>
    public void Dispose()
    {
        Volatile.Write(ref _isDisposed, true);
        _wake.Set();
    }

    /// <summary>Called by the firing thread before it runs a batch that has been begun.</summary>
    /// <returns>False if nobody watches: then the batch is the pool's.</returns>
    internal bool TryBegin(FiringBatch batch)
    {
        var state = Volatile.Read(ref _state);
        if (!IsIdle(state))
        {
            return false;
        }

        Volatile.Write(ref _batch, batch);
        if (Interlocked.CompareExchange(ref _state, state + 1, state) != state)
        {
            return false;
        }

        // Begin first, then look whether the watchdog sleeps: it says that it will, then looks whether anything has
        // begun. A full fence on both sides; else a callback could block with nobody awake.
        if (Volatile.Read(ref _isAsleep))
        {
            _wake.Set();
        }

        return true;
    }

    /// <summary>Called by the firing thread when it has run the batch.</summary>
    /// <returns>False if it has been replaced meanwhile.</returns>
    internal bool TryEnd()
    {
        // A batch that runs is the firing thread's own: nobody else begins one until a thread that has been replaced
        // comes back and watches.
        var state = Volatile.Read(ref _state);
        return IsRunning(state) && Interlocked.CompareExchange(ref _state, state + 1, state) == state;
    }

    /// <summary>Watches the firing thread.</summary>
    /// <returns>True when the calling thread is to drive; false when the service has been disposed.</returns>
    internal bool UntilTakeOver()
    {
        Interlocked.CompareExchange(ref _state, Watched, Unwatched);
        var seen = default(Look);
        var isSecondLook = false;
        while (!Volatile.Read(ref _isDisposed))
        {
            if (IsWokenWithin(isSecondLook ? _shortPause : _pause))
            {
                // Somebody has woken it, so this is no look: the time has not passed.
                isSecondLook = false;
                continue;
            }

            var now = TakeLook();
            var isRunning = IsRunning(now.State);
            if (isRunning && now == seen && TryTakeOver(now.State))
            {
                return true;
            }

            if (now.State == seen.State)
            {
                if (isRunning)
                {
                    // It may have ended meanwhile, which does no harm.
                    HandOn();
                }
                else
                {
                    SleepWhile(now.State);
                }
            }

            isSecondLook = isRunning && !isSecondLook;
            seen = now;
        }

        // What the firing thread has begun must not be stuck behind a callback that blocks, and nobody will look any
        // more.
        var state = Interlocked.Exchange(ref _state, Unwatched);
        if (IsRunning(state))
        {
            HandOn();
        }

        return false;
    }

    private static bool IsIdle(long state) => state >= Watched && (state & 1) == 0;

    private static bool IsRunning(long state) => state > Watched && (state & 1) == 1;

    private Look TakeLook()
    {
        var state = Volatile.Read(ref _state);
        return new Look(state, IsRunning(state) ? Volatile.Read(ref _batch)!.Taken : 0);
    }

    private bool TryTakeOver(long state)
    {
        // If the firing thread ends the batch first, it drives on. If this comes first, it learns at the end of the
        // batch that it does not.
        if (Interlocked.CompareExchange(ref _state, Unwatched, state) != state)
        {
            return false;
        }

        HandOn();
        return true;
    }

    private void HandOn() => Volatile.Read(ref _batch)!.HandOn(_clock.Now());

    private void SleepWhile(long state)
    {
        Volatile.Write(ref _isAsleep, true);
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _state) == state)
        {
            // Disposing signals too, and a signal that came before is kept.
            _ = IsWokenWithin(Timeout.InfiniteTimeSpan);
        }

        Volatile.Write(ref _isAsleep, false);
    }

    private bool IsWokenWithin(TimeSpan pause)
    {
        try
        {
            return _wake.WaitOne(pause);
        }
        catch (ThreadInterruptedException)
        {
            // A callback that this thread has run had handed it out, and somebody interrupts it now.
            return true;
        }
    }

    /// <summary>What the watchdog sees: the state, and how much of the batch that runs has been taken.</summary>
    private readonly record struct Look(long State, int Taken);
}
