namespace ScalableTimers.Driving.DriverThreads;

/// <summary>Wakes the driver from a thread that also fires what has expired, beside a second one that takes over when it is stuck.</summary>
/// <remarks>
/// <para>
/// The problem: handing a batch to the pool wakes a thread of the pool, and threads of the pool spin before they sleep again. With little to
/// do at each tick that is most of what a tick costs, and the batch has left the processor's cache. So the leader runs it
/// itself, at once. What that would break is P7: a callback that blocks would hold up all that comes after it.
/// </para>
/// <para>
/// Therefore the relief. It looks at the leader through <see cref="FiringWatch"/>, and when the leader is still in the same callback it gives
/// the rest of that batch to the pool and leads in its place. Until the former leader has come back, and watches, the new one
/// fires through the pool: there is never a third thread, and never a callback on a driver thread that nobody watches.
/// </para>
/// <para>
/// This is the leader/followers pattern (Schmidt and others, 2000) with one follower, who is promoted when the leader is stuck and not
/// when it begins to work.
/// </para>
/// </remarks>
internal sealed class LeaderAndRelief : IWakeSource
{
    // Guards
    //   _leader       written by a thread before it leads, with a full fence
    //   _isStarted    interlocked
    //
    // Leading passes from one thread to the other by one compare-exchange in FiringWatch, and only while the leader is inside a batch that it
    // runs itself. At the end of that batch, and nowhere else, it learns that it does not lead any longer. So two threads never
    // serve the collections at once, and what only a serving driver may do needs no lock.
    private readonly TimerDriver _driver;
    private readonly TickClock _clock;
    private readonly TickSleep _sleep;
    private readonly FiringWatch _watch;
    private readonly DriverPass _pass;
    private readonly Thread _first;
    private readonly Thread _second;
    private Thread _leader;
    private int _isStarted;
    private bool _isDisposed;

    public LeaderAndRelief(TimerDriver driver, TickClock clock, DriverPass pass, FiringWatch watch)
    {
        _driver = driver;
        _clock = clock;
        _sleep = new TickSleep(clock);
        _watch = watch;
        _pass = pass;
        _first = NewThread(LeadAndWatch);
        _second = NewThread(WatchAndLead);
        _leader = _first;
    }

    public void Arm()
    {
        if (Volatile.Read(ref _isStarted) == 0 && Interlocked.Exchange(ref _isStarted, 1) == 0)
        {
            _second.UnsafeStart();
            _first.UnsafeStart();
        }
        else if (!ReferenceEquals(Thread.CurrentThread, Volatile.Read(ref _leader)))
        {
            // The leader looks at the next tick by itself before it sleeps. Who has lowered that tick has fenced, and reads who leads
            // afterwards; who takes over says so, fences, and reads the tick afterwards. So a callback that finds itself on
            // the leader, and is relieved the moment after, has not armed in vain.
            _sleep.End();
        }
    }

    public void Dispose()
    {
        // The watch first: a leader that ends must not begin to watch, beside the relief and for ever.
        _watch.Dispose();
        Volatile.Write(ref _isDisposed, true);
        _sleep.Dispose();
    }

    private static Thread NewThread(ThreadStart run) => new(run) { IsBackground = true, Name = "ScalableTimers driver" };

    private void LeadAndWatch()
    {
        Lead();
        WatchAndLead();
    }

    private void WatchAndLead()
    {
        while (_watch.UntilRelieved())
        {
            Interlocked.Exchange(ref _leader, Thread.CurrentThread);
            Lead();
        }
    }

    /// <summary>Leads until it is relieved or the service is disposed.</summary>
    private void Lead()
    {
        while (!Volatile.Read(ref _isDisposed))
        {
            var nextWakeTick = _driver.NextWakeTick;
            if (nextWakeTick > _clock.NowTick())
            {
                _sleep.Until(nextWakeTick);
            }
            else if (!_pass.Run())
            {
                return;
            }
        }
    }
}
