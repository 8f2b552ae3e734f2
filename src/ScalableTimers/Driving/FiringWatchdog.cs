using ScalableTimers.Clock;
using ScalableTimers.Firing;

namespace ScalableTimers.Driving;

/// <summary>
/// The state that the firing thread and its watchdog share. By it the watchdog detects a stuck firing thread and takes
/// over driving.
/// </summary>
/// <remarks>
/// The watchdog looks every four resolutions. If it finds the firing thread inside a callback, it looks again after one
/// resolution. If the firing thread is still inside the same callback, the watchdog takes over. So a callback that
/// blocks holds up the others for five resolutions at most. If the firing thread is inside another callback of the same
/// batch, it makes progress, but slowly, and the watchdog has the pool help. If the firing thread has run nothing
/// between two looks, the watchdog sleeps until it does, so a service with nothing to do costs nothing.
/// </remarks>
internal sealed class FiringWatchdog : IDisposable
{
    private const int LookTicks = 4;
    private const int SecondLookTicks = 1;

    // _state is Unwatched, or twice the number of batches that the firing thread has run since the watch began, plus
    // one while the next batch runs. Watched is that value when the watch begins.
    private const long Unwatched = -1;
    private const long Watched = 0;

    // Guards
    //   _state      Unwatched to Watched: a thread that begins to watch, by a store, as nobody else changes it then. An
    //               even number to the next odd one, and an odd number to the next even one: the firing thread. An odd
    //               number to Unwatched: the watchdog, which drives from then on. Any value to Unwatched: a watchdog
    //               that ends with the service. All but the first are interlocked.
    //   _batch      the firing thread, before _state says that the batch runs
    //   _running    the firing thread: the value of _state that says so
    //   _isAsleep   the watchdog
    private readonly TickClock _clock;
    private readonly TimeSpan _pause;
    private readonly TimeSpan _shortPause;
    private readonly AutoResetEvent _wake = new(false);
    private long _state = Unwatched;
    private FiringBatch? _batch;
    private long _running;
    private bool _isAsleep;
    private bool _isDisposed;

    public FiringWatchdog(TickClock clock)
    {
        _clock = clock;
        _pause = DueTime.RoundUpToMilliseconds(clock.ToTimeSpan(clock.TimestampAt(LookTicks)));
        _shortPause = DueTime.RoundUpToMilliseconds(clock.ToTimeSpan(clock.TimestampAt(SecondLookTicks)));
    }

    /// <summary>Whether a watchdog watches and the firing thread runs no batch.</summary>
    internal bool IsWatched => IsIdle(Volatile.Read(ref _state));

    /// <summary>
    /// Ends the watch when the service ends. The event is left to the garbage collector, because the firing thread may
    /// still signal it.
    /// </summary>
    public void Dispose()
    {
        Volatile.Write(ref _isDisposed, true);
        _wake.Set();
    }

    /// <summary>
    /// Called by the firing thread before it runs a batch, on which <see cref="FiringBatch.Begin"/> has been called.
    /// </summary>
    /// <returns>False if nobody watches. Then the batch goes to the pool.</returns>
    internal bool TryBegin(FiringBatch batch)
    {
        // The compare-exchange decides, so an old value does no harm: the batch goes to the pool.
        var state = _state;
        if (!IsIdle(state))
        {
            return false;
        }

        Volatile.Write(ref _batch, batch);
        _running = state + 1;
        if (Interlocked.CompareExchange(ref _state, _running, state) != state)
        {
            return false;
        }

        // Begin first, then look whether the watchdog sleeps. The watchdog does the reverse: it announces its sleep,
        // then looks whether a batch has begun. Both sides need a full fence; otherwise a callback could block while
        // the watchdog sleeps.
        if (Volatile.Read(ref _isAsleep))
        {
            _wake.Set();
        }

        return true;
    }

    /// <summary>Called by the firing thread after it has run the batch.</summary>
    /// <returns>False if the firing thread has been replaced meanwhile.</returns>
    /// <remarks>
    /// No other thread begins a batch until a replaced firing thread comes back and watches. So if _state is what it
    /// was when this batch began, it has been so all the time.
    /// </remarks>
    internal bool TryEnd() => Interlocked.CompareExchange(ref _state, _running + 1, _running) == _running;

    /// <summary>Watches the firing thread.</summary>
    /// <returns>True when the calling thread is to drive; false when the service has been disposed.</returns>
    internal bool UntilTakeOver()
    {
        // The calling thread has never driven, or it has been replaced, or the service has ended. Nobody watches in the
        // first two cases. In the last one nothing begins any more, and a watchdog that still watches ends.
        Volatile.Write(ref _state, Watched);
        var seen = default(Look);
        var isSecondLook = false;
        while (!Volatile.Read(ref _isDisposed))
        {
            if (IsWokenWithin(isSecondLook ? _shortPause : _pause))
            {
                // The wait has ended before the pause was over, so the watchdog does not look yet.
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
                    // The batch may have ended meanwhile. Then handing it on does no harm.
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

        // Nobody will look any more. So the rest of a batch that the firing thread has begun is handed on, and cannot
        // be stuck behind a callback that blocks.
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
        // If the firing thread ends the batch first, it drives on. If this compare-exchange comes first, the firing
        // thread learns at the end of the batch that it has been replaced.
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
            // Dispose signals the event too. A signal that came before the wait is kept.
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
            // A callback that ran on this thread has handed out the Thread object, and other code interrupts the thread
            // now.
            return true;
        }
    }

    /// <summary>What the watchdog sees: the state, and how many items of the running batch have been taken.</summary>
    private readonly record struct Look(long State, int Taken);
}
