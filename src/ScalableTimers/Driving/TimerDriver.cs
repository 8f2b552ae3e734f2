using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;
using ScalableTimers.Collections;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>Wakes at the earliest deadline of all collections and has what has expired fired.</summary>
/// <remarks>
/// <para>
/// There is one wake-up source and one tick at which it is set to wake. A thread that schedules something nearer lowers
/// that tick by compare-exchange and sets the source anew; everything else costs schedulers nothing. With nothing due
/// the driver sleeps, for hours if it may.
/// </para>
/// <para>
/// Each wake-up is a <see cref="DriverPass"/>: it takes out of each collection what is due by then and has it fired in
/// batches. Wake-ups that overlap are merged into the running one.
/// </para>
/// <para>
/// For a clock in virtual time the driver fires in order instead: it takes out one timer, runs it inside the clock's
/// own callback, and looks again, so that when the clock's advance returns, everything due has run.
/// </para>
/// </remarks>
internal sealed class TimerDriver : ICollectionDriver, IDisposable
{
    // Guards
    //   _nextWakeTick   interlocked: schedulers lower it, only a serving driver raises it
    //   _isUnset        interlocked: a scheduler clears it before it arms, a clock that fails sets it afterwards
    //   _serving        interlocked: Idle, Serving, or ServingAndAsked when a wake-up came meanwhile
    //
    // The driver announces _nextWakeTick, then looks at every collection's earliest tick; a scheduler publishes the
    // latter, then looks at the former. See AnnouncedTick.Tell for the other side.
    private const long Awake = long.MinValue;
    private const int Idle = 0;
    private const int Serving = 1;
    private const int ServingAndAsked = 2;

    /// <summary>A collection whose earliest deadline has been over for this long helps itself.</summary>
    private const int StarvedTicks = 4;

    private readonly TickClock _clock;
    private readonly CollectionRegistry _collections;
    private readonly FiringDispatcher _dispatcher;
    private readonly DriverPass _pass;
    private readonly IWakeSource _source;
    private readonly bool _firesInOrder;
    private long _nextWakeTick = TimerWheel.Never;
    private int _serving;
    private int _isUnset;
    private long _wakeUps;
    private Longest _longestLag;

    /// <param name="collections">What it drives. Shared ones fire in order.</param>
    /// <param name="kind">What wakes it.</param>
    /// <param name="firesHere">Whether its thread runs callbacks.</param>
    /// <param name="logger">Where to log.</param>
    public TimerDriver(CollectionRegistry collections, TimerDriverKind kind, bool firesHere, ILogger logger)
    {
        _clock = collections.Clock;
        _collections = collections;
        _dispatcher = collections.Dispatcher;
        _firesInOrder = collections.IsShared;
        var watchdog = firesHere ? new FiringWatchdog(_clock) : null;
        _pass = new DriverPass(this, _clock, collections, _dispatcher, watchdog);
        _source = kind != TimerDriverKind.Thread ? new ClockWakeSource(this, _clock)
            : watchdog is not null ? new FiringThreadWakeSource(this, _clock, _pass, watchdog, logger)
            : new ThreadWakeSource(this, _clock, _pass, logger);
    }

    /// <summary>
    /// When the driver will wake; <see cref="TimerWheel.Never"/> with nothing pending; less than any tick while it is
    /// awake.
    /// </summary>
    internal long NextWakeTick => Volatile.Read(ref _nextWakeTick);

    internal long WakeUps => Volatile.Read(ref _wakeUps);

    /// <summary>The longest time by which a timer was taken out after its deadline.</summary>
    internal TimeSpan LongestLag => _clock.ToTimeSpan(_longestLag.Value);

    public void Dispose() => _source.Dispose();

    /// <summary>Called by a scheduler after it has published a deadline and fenced.</summary>
    public void WakeNoLaterThan(long tick)
    {
        var next = Volatile.Read(ref _nextWakeTick);
        while (tick < next)
        {
            var found = Interlocked.CompareExchange(ref _nextWakeTick, tick, next);
            if (found == next)
            {
                _source.Arm();
                return;
            }

            next = found;
        }

        // The clock has failed to be set to the tick that others have lowered, and rely on.
        if (Volatile.Read(ref _isUnset) != 0 && Interlocked.Exchange(ref _isUnset, 0) != 0)
        {
            _source.Arm();
        }
    }

    /// <summary>
    /// Called when a clock has failed and may not wake the driver: the next timer of each collection is announced and
    /// arms the clock again.
    /// </summary>
    /// <remarks>
    /// The tick stays lowered: if the clock rings all the same, for a later time that it was set to before, what is
    /// late is served.
    /// </remarks>
    internal void ArmAgain()
    {
        // A full fence, before the collections are read: the first timer of a new one is announced, and sees either
        // this or is found here.
        Interlocked.Exchange(ref _isUnset, 1);
        foreach (var collection in _collections.All)
        {
            collection.AnnounceNext();
        }
    }

    /// <summary>Called by the wake-up source when <see cref="NextWakeTick"/> has come.</summary>
    internal void Serve()
    {
        if (_firesInOrder)
        {
            ServeInOrder();
            return;
        }

        // Whoever finds it idle serves; anyone else leaves word, and the one who serves looks again before it stops.
        if (Interlocked.Exchange(ref _serving, ServingAndAsked) != Idle)
        {
            return;
        }

        try
        {
            do
            {
                Interlocked.Exchange(ref _serving, Serving);
                _ = _pass.Run();
            }
            while (Interlocked.CompareExchange(ref _serving, Idle, Serving) != Serving);
        }
        catch
        {
            // The clock has failed. The wake-up source sets it again, so nobody who has left word waits in vain.
            Volatile.Write(ref _serving, Idle);
            throw;
        }
    }

    /// <summary>
    /// Called by the one thread that serves: from now on schedulers leave it to that thread to see what they have
    /// scheduled.
    /// </summary>
    /// <returns>The time.</returns>
    internal long BeginPass()
    {
        Volatile.Write(ref _nextWakeTick, Awake);
        return _clock.Now();
    }

    /// <summary>Called by the one thread that serves, when it has: says when it will wake next.</summary>
    internal void EndPass()
    {
        Interlocked.Increment(ref _wakeUps);
        Announce(notBefore: 0);
    }

    /// <summary>Notes how late the oldest of some entries was taken out. Called by any thread.</summary>
    internal void NoteLag(long oldestTick, long now) =>
        _longestLag.Note(oldestTick == TimerWheel.Never ? 0 : _clock.ElapsedSince(oldestTick, now));

    /// <summary>
    /// Called now and then by a scheduling thread: takes out a part of what is due if the driver gets no processor
    /// time.
    /// </summary>
    /// <remarks>
    /// One step, so a batch at most: the caller has work of its own, and a million timers due at once would hold it up
    /// for a tenth of a second. It comes here every 64 timers, so a thread that goes on scheduling still takes out
    /// twice as many as it adds.
    /// </remarks>
    public void RelieveIfStarved(TimerCollection collection, long now)
    {
        if (_firesInOrder || collection.EarliestTick == TimerWheel.Never)
        {
            return;
        }

        var nowTick = _clock.TickAt(now);
        if (collection.EarliestTick + StarvedTicks < nowTick)
        {
            _pass.RunStep(collection, nowTick);

            // Where neither a thread nor the pool would drive, this is a call that tries again. Otherwise it wakes a
            // driver that is late.
            (_source as ThreadWakeSource)?.Arm();
        }
    }

    private void ServeInOrder()
    {
        Interlocked.Increment(ref _wakeUps);

        // Counted as running while a timer is between wheel and callback, so that waiting for callbacks does not miss
        // it.
        _dispatcher.EnterWorker();
        try
        {
            foreach (var collection in _collections.All)
            {
                while (collection.TryExpireOne(_clock.NowTick(), out var item))
                {
                    try
                    {
                        // The callback may advance the clock itself. Then the alarm must ring for what comes after this
                        // tick; what is left of this tick is ours.
                        Announce(notBefore: _clock.NowTick() + 1);
                    }
                    finally
                    {
                        // If the clock fails it fires all the same: no wheel holds it any more.
                        _dispatcher.FireHere(item);
                    }
                }
            }
        }
        finally
        {
            _dispatcher.ExitWorker();
        }

        Announce(notBefore: 0);
    }

    private void Announce(long notBefore)
    {
        var earliest = Math.Max(notBefore, _collections.EarliestTick());
        while (true)
        {
            // Announce first, then look again: a full fence, the pair of the one in AnnouncedTick.Tell.
            Interlocked.Exchange(ref _nextWakeTick, earliest);
            var seen = Math.Max(notBefore, _collections.EarliestTick());
            if (seen >= earliest)
            {
                break;
            }

            earliest = seen;
        }

        _source.Arm();
    }
}
