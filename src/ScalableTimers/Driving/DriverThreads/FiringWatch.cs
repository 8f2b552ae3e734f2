namespace ScalableTimers.Driving.DriverThreads;

/// <summary>What the leader runs, laid open for the relief: who sees that it does not get on, and how leading passes.</summary>
/// <remarks>
/// The relief looks every four resolutions. If it finds the leader inside a callback, it looks again after one, and if it is
/// the same callback, relieves it: a callback that blocks holds up the others for five resolutions at most. If it is another callback of the same
/// batch, the leader gets on, but slowly, and the pool is to help. When the leader has run nothing between two looks the relief
/// sleeps until it does, so that a service with nothing to do costs nothing.
/// </remarks>
internal sealed class FiringWatch : IDisposable
{
    private const int LookTicks = 4;
    private const int SecondLookTicks = 1;

    // What _state is beside the number of the batch that the leader runs, which is positive.
    private const long Unwatched = -1;
    private const long Watched = 0;

    // Guards
    //   _state      interlocked. Unwatched to Watched: a thread that begins to watch. Watched to a number and back: the leader.
    //               A number to Unwatched: the relief, which leads from then on. Anything to Unwatched: a relief that ends with the service.
    //   _batch      the leader, before _state says that it runs; belongs to the number
    //   _number     the leader
    //   _isAsleep   the relief sets it, whoever sees it clears it
    private readonly TickClock _clock;
    private readonly TimeSpan _pause;
    private readonly TimeSpan _shortPause;
    private readonly AutoResetEvent _wake = new(false);
    private long _state = Unwatched;
    private long _number;
    private FiringBatch? _batch;
    private bool _isAsleep;
    private bool _isDisposed;

    public FiringWatch(TickClock clock)
    {
        _clock = clock;
        _pause = DueTime.RoundUpToMilliseconds(clock.ToDuration(clock.UnitsAt(LookTicks)));
        _shortPause = DueTime.RoundUpToMilliseconds(clock.ToDuration(clock.UnitsAt(SecondLookTicks)));
    }

    /// <summary>Whether somebody watches, and nothing runs.</summary>
    internal bool IsWatched => Volatile.Read(ref _state) == Watched;

    /// <summary>Ends the watch, with the service. The event is left to the garbage collector: the leader may still signal it.</summary>
    public void Dispose()
    {
        Volatile.Write(ref _isDisposed, true);
        _wake.Set();
    }

    /// <summary>Called by the leader before it runs a batch that has been begun.</summary>
    /// <returns>False if nobody watches: then the batch is the pool's.</returns>
    internal bool TryBegin(FiringBatch batch)
    {
        if (!IsWatched)
        {
            return false;
        }

        Volatile.Write(ref _batch, batch);
        var number = _number + 1;
        Volatile.Write(ref _number, number);
        if (Interlocked.CompareExchange(ref _state, number, Watched) != Watched)
        {
            return false;
        }

        // Begin first, then look whether the relief sleeps: it says that it will, then looks whether anything has begun. A full fence on both
        // sides; else a callback could block with nobody awake.
        if (Volatile.Read(ref _isAsleep))
        {
            Volatile.Write(ref _isAsleep, false);
            _wake.Set();
        }

        return true;
    }

    /// <summary>Called by the leader when it has run the batch.</summary>
    /// <returns>False if it has been relieved meanwhile.</returns>
    internal bool TryEnd() => Interlocked.CompareExchange(ref _state, Watched, _number) == _number;

    /// <summary>Watches the leader.</summary>
    /// <returns>True when the calling thread is to lead; false when the service has been disposed.</returns>
    internal bool UntilRelieved()
    {
        Interlocked.CompareExchange(ref _state, Watched, Unwatched);
        var seen = default(Look);
        var isSecondLook = false;
        while (!Volatile.Read(ref _isDisposed))
        {
            if (_wake.WaitOne(isSecondLook ? _shortPause : _pause))
            {
                // Somebody has woken it, so this is no look: the time has not passed.
                isSecondLook = false;
                continue;
            }

            var now = TakeLook();
            if (now == seen && now.IsRunning && TryRelieve(now.State))
            {
                return true;
            }

            if (now.IsRunning && now.State == seen.State)
            {
                // It may have ended meanwhile, which does no harm.
                HandOn();
            }

            if (!now.IsRunning && now.Number == seen.Number)
            {
                SleepUntilAfter(now.Number);
            }

            isSecondLook = now.IsRunning && !isSecondLook;
            seen = now;
        }

        // What the leader has begun must not be stuck behind a callback that blocks, and nobody will look any more.
        var state = Interlocked.Exchange(ref _state, Unwatched);
        if (state > Watched)
        {
            HandOn();
        }

        return false;
    }

    private Look TakeLook()
    {
        var state = Volatile.Read(ref _state);
        return new Look(state, Volatile.Read(ref _number), state > Watched ? Volatile.Read(ref _batch)!.Taken : 0);
    }

    private bool TryRelieve(long state)
    {
        // If the leader ends the batch first, it leads on. If this comes first, it learns at the end of the batch that it does not.
        if (Interlocked.CompareExchange(ref _state, Unwatched, state) != state)
        {
            return false;
        }

        HandOn();
        return true;
    }

    private void HandOn() => Volatile.Read(ref _batch)!.HandOn(_clock.Now());

    private void SleepUntilAfter(long number)
    {
        Volatile.Write(ref _isAsleep, true);
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _number) == number && !Volatile.Read(ref _isDisposed))
        {
            _wake.WaitOne();
        }

        Volatile.Write(ref _isAsleep, false);
    }

    /// <summary>What the relief sees: the state, how many batches have been begun, and how much of the present one has been taken.</summary>
    private readonly record struct Look(long State, long Number, int Taken)
    {
        internal bool IsRunning => State > Watched;
    }
}
