using ScalableTimers.Clock;

namespace ScalableTimers.Driving;

/// <summary>
/// Wakes the driver from a thread that also fires what has expired. A second thread takes over when the first one is
/// stuck.
/// </summary>
/// <remarks>
/// <para>
/// The problem: handing a batch to the pool wakes a pool thread, and pool threads spin before they sleep again. With
/// little to do at each tick, that is most of a tick's cost, and the batch is no longer in the processor's cache. So
/// the firing thread runs the batch itself, at once. That alone would break P7: a callback that blocks would hold up
/// everything after it.
/// </para>
/// <para>
/// Therefore the second thread is a watchdog. It looks at the firing thread through <see cref="FiringWatchdog"/>. If
/// the firing thread is still in the same callback, the watchdog gives the rest of that batch to the pool and drives in
/// its place. Until the former firing thread comes back and watches, the new one fires through the pool. So there is
/// never a third thread, and never a callback on a driver thread that nobody watches.
/// </para>
/// <para>
/// This is the leader/followers pattern (Schmidt and others, 2000) with one follower. The follower is promoted when the
/// firing thread is stuck, not when it begins to work.
/// </para>
/// </remarks>
internal sealed class FiringThreadWakeSource : ThreadWakeSource
{
    // Driving passes from one thread to the other by one compare-exchange in FiringWatchdog, and only while the firing
    // thread is inside a batch that it runs itself. At the end of that batch, and nowhere else, the firing thread
    // learns that it does not drive any longer. So two threads never serve the collections at once, and what only a
    // serving driver may do needs no lock.
    private readonly FiringWatchdog _watchdog;

    // Guarded as the first thread is: by the threads that call Start, one at a time.
    private Thread? _second;

    public FiringThreadWakeSource(TimerDriver driver, TickClock clock, DriverPass pass, FiringWatchdog watchdog)
        : base(driver, clock, pass) => _watchdog = watchdog;

    public override void Dispose()
    {
        // The watch ends first. Otherwise a firing thread that ends could begin to watch, beside the watchdog and for
        // ever.
        _watchdog.Dispose();
        base.Dispose();
    }

    public override void Start()
    {
        base.Start();
        _second ??= StartThread(WatchAndLead);
    }

    protected override void Run()
    {
        Drive();
        WatchAndLead();
    }

    private void WatchAndLead()
    {
        while (_watchdog.UntilTakeOver())
        {
            Drive();
        }
    }
}
