using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;

namespace ScalableTimers.Driving;

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
/// The leader starts the relief. While that thread cannot be started nobody watches, and all batches go to the pool.
/// </para>
/// <para>
/// This is the leader/followers pattern (Schmidt and others, 2000) with one follower, who is promoted when the leader is stuck and not
/// when it begins to work.
/// </para>
/// </remarks>
internal sealed class LeaderAndRelief : ThreadWakeSource
{
    // Leading passes from one thread to the other by one compare-exchange in FiringWatch, and only while the leader is inside a batch that it
    // runs itself. At the end of that batch, and nowhere else, it learns that it does not lead any longer. So two threads never
    // serve the collections at once, and what only a serving driver may do needs no lock.
    private readonly FiringWatch _watch;
    private readonly DriverThread _second;

    public LeaderAndRelief(TimerDriver driver, TickClock clock, DriverPass pass, FiringWatch watch, ILogger logger)
        : base(driver, clock, pass, logger)
    {
        _watch = watch;
        _second = new DriverThread(WatchAndLead, clock, logger);
    }

    public override void Dispose()
    {
        // The watch first: a leader that ends must not begin to watch, beside the relief and for ever.
        _watch.Dispose();
        base.Dispose();
    }

    protected override void Run()
    {
        Lead(_second);
        WatchAndLead();
    }

    private void WatchAndLead()
    {
        while (_watch.UntilRelieved())
        {
            Lead(relief: null);
        }
    }
}
