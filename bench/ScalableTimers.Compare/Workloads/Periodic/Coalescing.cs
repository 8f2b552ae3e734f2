using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>What does a tolerance save when many periodic timers wait?</summary>
internal static class Coalescing
{
    private const int Timers = 1_000;
    private const int ShortestPeriod = 500;
    private const int LongestPeriod = 2000;

    internal static Workload Workload { get; } = new(
        "coalescing",
        $"How often does the driver wake for {Timers:N0} periodic timers with periods of 0.5 to 2 s, by the tolerance "
        + "they have? (resolution 10 ms; a second: firings)",
        Column.CpuPerSecond,
        static scale =>
        {
            var duration = scale.Of(TimeSpan.FromSeconds(5));
            return
            [
                new("Timer", () => Run(duration, static () => double.NaN, static (fire, dueTime, period) =>
                    new Timer(fire, null, dueTime, period))),
                new("CreateTimer", () => RunOurs(duration, tolerance: 0)),
                new("tolerance 10 %", () => RunOurs(duration, tolerance: 0.1)),
                new("tolerance 50 %", () => RunOurs(duration, tolerance: 0.5)),
            ];
        })
    {
        HasOwnProcesses = true,
        Rounds = 1,
    };

    private static Measurement RunOurs(TimeSpan duration, double tolerance)
    {
        using var service = new TimerService();
        return Run(duration, () => service.GetSnapshot().DriverWakeUps, (fire, dueTime, period) =>
            service.CreateTimer(fire, null, dueTime, period, period * tolerance));
    }

    private static Measurement Run(
        TimeSpan duration, Func<double> readWakeUps, Func<TimerCallback, TimeSpan, TimeSpan, IDisposable> create)
    {
        var random = new Random(1);
        var fired = 0;
        TimerCallback fire = _ => Interlocked.Increment(ref fired);
        var all = Enumerable.Range(0, Timers)
            .Select(_ =>
            {
                var period = TimeSpan.FromMilliseconds(random.Next(ShortestPeriod, LongestPeriod));
                return create(fire, period * random.NextDouble(), period);
            })
            .ToList();

        // Every timer has fired by then.
        Thread.Sleep(LongestPeriod);
        var (before, firedBefore, wakeUps) = (Usage.Now(), Volatile.Read(ref fired), readWakeUps());
        Thread.Sleep(duration);
        var after = Usage.Now();
        var measured = Measurement.OfSeconds(before, after, Volatile.Read(ref fired) - firedBefore);
        measured[Column.WakeUps] = (readWakeUps() - wakeUps) / before.WallUntil(after).TotalSeconds;
        all.ForEach(static timer => timer.Dispose());
        return measured;
    }
}
