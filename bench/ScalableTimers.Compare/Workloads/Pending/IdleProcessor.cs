using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Pending;

/// <summary>What do pending timers cost while nothing is due?</summary>
internal sealed class IdleProcessor : Workload
{
    private const int Pending = 1_000_000;
    private const string Nothing = "no timers";
    private const string Empty = "service that had one timer";
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_dueTime = TimeSpan.FromHours(1);

    internal override string Name => "idle-processor";

    internal override string Question =>
        "How much processor time does a second cost with 1,000,000 timers pending and nothing due? "
        + "The net figures are without that of a process without timers, and of a service without pending ones.";

    // The values are too small.
    internal override string? ComparedBy => null;

    internal override bool IsSlow => true;

    internal override bool IsWarmedUp => false;

    // Each round has its own service, because no other service may wake up meanwhile.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var duration = TimeSpan.FromSeconds(5) / scale.Divisor;
        return
        [
            new(Nothing, () => Idle(duration)),
            new("Timer", () => MeasureTimer(duration)) { Without = Nothing },
            new(Empty, () => MeasureService(duration, pending: 0)),
            new("Schedule", () => MeasureService(duration, Pending)) { Without = Empty },
        ];
    }

    private static Measurement MeasureTimer(TimeSpan duration)
    {
        var timers = new Timer[Pending];
        for (var i = 0; i < timers.Length; i++)
        {
            timers[i] = new Timer(s_ignore, null, s_dueTime, Timeout.InfiniteTimeSpan);
        }

        var measured = Idle(duration);
        Array.ForEach(timers, static timer => timer.Dispose());
        return measured;
    }

    private static Measurement MeasureService(TimeSpan duration, int pending)
    {
        using var timers = new TimerService();
        using var fired = new ManualResetEventSlim();
        timers.Schedule(static fired => ((ManualResetEventSlim)fired!).Set(), fired, TimeSpan.FromMilliseconds(1));
        fired.Wait();
        for (var i = 0; i < pending; i++)
        {
            timers.Schedule(s_ignore, null, s_dueTime);
        }

        return Idle(duration);
    }

    private static Measurement Idle(TimeSpan duration)
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Thread.Sleep(300);
        var before = Usage.Now();
        Thread.Sleep(duration);
        return Measurement.OfSeconds(before, Usage.Now(), done: double.NaN);
    }
}
