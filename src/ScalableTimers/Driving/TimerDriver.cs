using ScalableTimers.Clock;
using ScalableTimers.Collections;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Driving;

/// <summary>Wakes at the earliest deadline of all collections and fires what has expired.</summary>
/// <remarks>
/// <para>
/// There is one wake-up source and one tick at which it is set to wake. A thread that schedules an earlier timer lowers
/// that tick by compare-exchange and arms the source again. All other schedulers pay nothing for the driver. With
/// nothing due the driver sleeps, even for hours.
/// </para>
/// <para>
/// Each wake-up is a <see cref="DriverPass"/>: it takes out of each collection what is due by then and fires it in
/// batches. Wake-ups that overlap are merged into the running one.
/// </para>
/// <para>
/// For a clock in virtual time the driver fires in order instead. It takes out one timer, runs it inside the clock's
/// own callback, and looks again. So when the call that advances the clock returns, everything due has run.
/// </para>
/// </remarks>
internal sealed class TimerDriver : ICollectionDriver, IDisposable
{
    // Guards
    //   _nextWakeTick   interlocked: schedulers lower it, only a serving driver raises it
    //   _isUnset        a scheduler clears it before it arms the source; ArmAgain sets it, interlocked, after the clock
    //                   has failed
    //   _asked          interlocked: how many wake-ups have come since the driver was idle, when it is 0
    //
    // The driver announces _nextWakeTick, then looks at every collection's earliest tick. A scheduler publishes the
    // earliest tick, then looks at _nextWakeTick. See AnnouncedTick.Tell for the other side.
    private const long Awake = long.MinValue;

    private readonly TickClock _clock;
    private readonly CollectionRegistry _collections;
    private readonly FiringDispatcher _dispatcher;
    private readonly DriverPass _pass;
    private readonly IWakeSource _source;
    private readonly bool _firesInOrder;
    private long _nextWakeTick = TimerWheel.Never;
    private int _asked;
    private int _isUnset;
    private long _wakeUps;
    private Longest _longestLag;

    /// <param name="collections">The collections that it drives. Shared ones fire in order.</param>
    /// <param name="kind">The kind of wake-up source.</param>
    /// <param name="firesHere">Whether the driver's thread runs callbacks.</param>
    public TimerDriver(CollectionRegistry collections, TimerDriverKind kind, bool firesHere)
    {
        _clock = collections.Clock;
        _collections = collections;
        _dispatcher = collections.Dispatcher;
        _firesInOrder = collections.IsShared;
        var watchdog = firesHere ? new FiringWatchdog(_clock) : null;
        _pass = new DriverPass(this, _clock, collections, _dispatcher, watchdog);
        _source = kind != TimerDriverKind.Thread ? new ClockWakeSource(this, _clock)
            : watchdog is not null ? new FiringThreadWakeSource(this, _clock, _pass, watchdog)
            : new ThreadWakeSource(this, _clock, _pass);
    }

    /// <summary>
    /// The tick at which the driver will wake; <see cref="TimerWheel.Never"/> if nothing is pending; less than any tick
    /// while the driver is awake.
    /// </summary>
    internal long NextWakeTick => Volatile.Read(ref _nextWakeTick);

    /// <summary>What wakes the driver: never <see cref="TimerDriverKind.Auto"/>.</summary>
    internal TimerDriverKind Kind =>
        _source is ClockWakeSource ? TimerDriverKind.Timer : TimerDriverKind.Thread;

    internal long WakeUps => Volatile.Read(ref _wakeUps);

    /// <summary>The longest time by which a timer was taken out after its deadline.</summary>
    internal TimeSpan LongestLag => _clock.ToTimeSpan(_longestLag.Value);

    public void Dispose() => _source.Dispose();

    /// <summary>Called by one thread at a time, before it creates a collection or takes one over.</summary>
    public void Start() => _source.Start();

    /// <summary>Called by a scheduler after it has published a deadline and executed a full fence.</summary>
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

        // Another scheduler has lowered the tick and relies on it, but setting the clock to that tick has failed. If
        // two threads find that, both arm, which does no harm. A failure whose mark this thread clears came before this
        // thread arms.
        if (Volatile.Read(ref _isUnset) != 0)
        {
            Volatile.Write(ref _isUnset, 0);
            _source.Arm();
        }
    }

    /// <summary>
    /// Called when a clock has failed and may not wake the driver. Each collection then announces its next timer, which
    /// arms the clock again.
    /// </summary>
    /// <remarks>
    /// The tick stays lowered. If the clock rings all the same, at a later time that it was set to before, the driver
    /// serves what is late by then.
    /// </remarks>
    internal void ArmAgain()
    {
        // A full fence before the collections are read. The first timer of a new collection is announced. Either its
        // scheduler sees _isUnset, or its collection is found here.
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

        // The thread that finds the driver idle serves. Any other thread leaves its wake-up counted, and the serving
        // thread makes another pass: each pass serves the wake-ups that were counted before it.
        var asked = Interlocked.Increment(ref _asked);
        if (asked != 1)
        {
            return;
        }

        try
        {
            int served;
            do
            {
                served = asked;
                _ = _pass.Run();
                asked = Interlocked.CompareExchange(ref _asked, 0, served);
            }
            while (asked != served);
        }
        catch
        {
            // The clock has failed. The wake-up source sets it again, so a wake-up that was merged into this one is not
            // lost.
            Volatile.Write(ref _asked, 0);
            throw;
        }
    }

    /// <summary>
    /// Begins a pass. Called by the one thread that serves. From now on schedulers rely on that thread to see what they
    /// have scheduled.
    /// </summary>
    /// <returns>The present timestamp.</returns>
    internal long BeginPass()
    {
        Volatile.Write(ref _nextWakeTick, Awake);
        return _clock.Now();
    }

    /// <summary>Ends a pass: announces when the driver will wake next. Called by the one thread that serves.</summary>
    internal void EndPass()
    {
        Volatile.Write(ref _wakeUps, _wakeUps + 1);
        Announce(notBefore: 0);
    }

    /// <summary>Notes how late the oldest of some entries was taken out. Called by any thread.</summary>
    internal void NoteLag(long oldestTick, long now) =>
        _longestLag.Note(oldestTick == TimerWheel.Never ? 0 : _clock.ElapsedSince(oldestTick, now));

    private void ServeInOrder()
    {
        Interlocked.Increment(ref _wakeUps);

        // The driver counts as a running worker while a timer is between wheel and callback, so that a wait for
        // callbacks does not miss it.
        _dispatcher.EnterWorker();
        try
        {
            foreach (var collection in _collections.All)
            {
                while (collection.TryExpireOne(_clock.NowTick(), out var item, out var deadlineTick))
                {
                    try
                    {
                        // The callback may advance the clock itself. Then the alarm must ring for what is due after
                        // this tick. This loop takes the rest of this tick.
                        Announce(notBefore: _clock.NowTick() + 1);
                    }
                    finally
                    {
                        // If the clock fails, the timer fires all the same, because no wheel holds it any more.
                        _dispatcher.FireHere(item, deadlineTick);
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
            // Announce first, then look again. This is a full fence, the pair of the one in AnnouncedTick.Tell.
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
