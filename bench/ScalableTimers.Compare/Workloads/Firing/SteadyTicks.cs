using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>What does a service cost that has something to do at every tick, but little?</summary>
internal sealed class SteadyTicks : Workload
{
    private const int TimersPerTick = 4;
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    // The due time is so much shorter than a tick that each firing is followed by another one at the next tick.
    private static readonly DueTimes s_nextTick = new(shortest: 1, longest: 1);

    internal override string Name => "steady-ticks";

    internal override string Question =>
        "What does a second of 100 ticks cost in processor time: of a thread that sleeps and queues an empty item at "
        + "each, of one Timer of 10 ms, and of the service with 4 timers a tick?";

    internal override string ComparedBy => "processor time";

    internal override bool IsSlow => true;

    // One service for all rounds.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var onDriverThread = OnDriverThread.NewService();
        var onTimer = new TimerService(new ScalableTimerOptions { Driver = TimerDriverKind.Timer });
        var duration = TimeSpan.FromSeconds(3) / scale.Divisor;
        return
        [
            new("sleeping thread", () => RunThread(duration)),
            new("Timer", () => RunTimer(duration)),
            new("Schedule", () => RunService(timers, duration)) { Owned = timers },
            new("Schedule, Driver = Timer", () => RunService(onTimer, duration)) { Owned = onTimer },
            new(OnDriverThread.Schedule, () => RunService(onDriverThread, duration)) { Owned = onDriverThread },
        ];
    }

    private static Measurement RunThread(TimeSpan duration)
    {
        var done = 0;
        var isOver = false;
        var thread = new Thread(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                Thread.Sleep(s_tick);
                ThreadPool.UnsafeQueueUserWorkItem(static _ => { }, (object?)null, preferLocal: false);
                Volatile.Write(ref done, done + 1);
            }
        });
        thread.Start();
        var measured = Measure(duration, () => Volatile.Read(ref done));
        Volatile.Write(ref isOver, true);
        thread.Join();
        return measured;
    }

    private static Measurement RunTimer(TimeSpan duration)
    {
        var done = 0;
        using var timer = new Timer(_ => Interlocked.Increment(ref done), null, s_tick, s_tick);
        return Measure(duration, () => Volatile.Read(ref done));
    }

    private static Measurement RunService(TimerService timers, TimeSpan duration)
    {
        var measured = new Beats(s_nextTick).Run(TimersPerTick, duration, beats => new ScheduledBeat(beats, timers));
        return measured with
        {
            Early = double.NaN,
            EarliestMilliseconds = double.NaN,
            LateP50 = double.NaN,
            LateP99 = double.NaN,
            LateP999 = double.NaN,
            LateMax = double.NaN,
        };
    }

    private static Measurement Measure(TimeSpan duration, Func<int> done)
    {
        Thread.Sleep(10 * s_tick);
        var doneBefore = done();
        var before = Usage.Now();
        Thread.Sleep(duration);
        return Measurement.OfSeconds(before, Usage.Now(), done() - doneBefore);
    }
}
