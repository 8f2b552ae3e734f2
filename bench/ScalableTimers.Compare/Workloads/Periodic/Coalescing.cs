using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>What does a tolerance save when many periodic timers wait?</summary>
internal sealed class Coalescing(int timers) : Workload
{
    private const int ShortestPeriod = 500;
    private const int LongestPeriod = 2000;
    private static readonly TimerCallback s_count = static firings =>
        Interlocked.Increment(ref ((Firings)firings!).Count);

    internal override string Name => $"coalescing-{timers / 1000}k";

    internal override string Question =>
        $"How often does the driver wake for {timers:N0} periodic timers with periods of 0.5 to 2 s, by the tolerance "
        + "they have? (resolution 10 ms; a second: firings)";

    internal override string? ComparedBy => "processor time";

    internal override bool IsSlow => true;

    // By the time of the measurement the warm-up has ended.
    internal override bool IsWarmedUp => false;

    internal override int MostRounds => 3;

    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var duration = TimeSpan.FromSeconds(scale.Divisor == 1 ? 10 : 2);
        return
        [
            new("Timer", () => RunSystem(duration)),
            new("CreateTimer", () => RunOurs(duration, tolerance: 0)),
            new("tolerance 10 %", () => RunOurs(duration, tolerance: 0.1)),
            new("tolerance 50 %", () => RunOurs(duration, tolerance: 0.5)),
        ];
    }

    private Measurement RunSystem(TimeSpan duration) =>
        Run(
            duration,
            static () => double.NaN,
            static (firings, dueTime, period) => new Timer(s_count, firings, dueTime, period));

    private Measurement RunOurs(TimeSpan duration, double tolerance)
    {
        using var service = new TimerService();
        return Run(
            duration,
            () => service.GetSnapshot().DriverWakeUps,
            (firings, dueTime, period) =>
                service.CreateTimer(
                    s_count, firings, dueTime, period, new PeriodicTimerOptions { Tolerance = period * tolerance }));
    }

    private Measurement Run(
        TimeSpan duration, Func<double> readWakeUps, Func<Firings, TimeSpan, TimeSpan, IDisposable> create)
    {
        var random = new Random(1);
        var firings = new Firings();
        var all = new IDisposable[timers];
        for (var i = 0; i < all.Length; i++)
        {
            var period = TimeSpan.FromMilliseconds(random.Next(ShortestPeriod, LongestPeriod));
            all[i] = create(firings, period * random.NextDouble(), period);
        }

        // Every timer has fired by then.
        Thread.Sleep(LongestPeriod);
        var before = Usage.Now();
        var (fired, wakeUps) = (firings.Count, readWakeUps());
        Thread.Sleep(duration);
        var after = Usage.Now();
        var measured = Measurement.OfSeconds(before, after, firings.Count - fired) with
        {
            WakeUpsPerSecond = (readWakeUps() - wakeUps) / before.WallUntil(after).TotalSeconds,
        };
        Array.ForEach(all, static timer => timer.Dispose());
        return measured;
    }

    private sealed class Firings
    {
#pragma warning disable SA1401 // Counted by interlocked operations, which need the field.
        internal long Count;
#pragma warning restore SA1401
    }
}
