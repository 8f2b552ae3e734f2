namespace ScalableTimers.Compare.Workloads;

/// <summary>What a timeout costs that is not needed after all, on two threads.</summary>
internal sealed class ScheduleThenCancel(int pending) : Workload
{
    private const int Threads = 2;
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(30);

    internal override string Name => pending == 0 ? "schedule-cancel" : "schedule-cancel-1m";

    internal override string Question => $"What does a timeout cost that is cancelled at once, with {pending:N0} others pending? (a pair, on {Threads} threads)";

    internal override IReadOnlyList<Contestant> Contestants(Scale scale) =>
    [
        new("Timer", () => WithPending(
            static () => new Timer(s_ignore, null, TimeSpan.FromHours(1), Timeout.InfiniteTimeSpan),
            () => Run(2_000_000 / scale.Divisor, static () => new Timer(s_ignore, null, s_timeout, Timeout.InfiniteTimeSpan).Dispose()))),
        new("Schedule", () =>
        {
            using var timers = new TimerService();
            return WithPending(
                () => new Scheduled(timers.Schedule(s_ignore, null, TimeSpan.FromHours(1))),
                () => Run(10_000_000 / scale.Divisor, () => timers.Schedule(s_ignore, null, s_timeout).Cancel()));
        }),
    ];

    private static Measurement Run(int pairs, Action pair)
    {
        // A thread warms up before the clock starts: its first timer may allocate.
        using var start = new Barrier(Threads + 1);
        using var end = new Barrier(Threads + 1);
        for (var i = 0; i < Threads; i++)
        {
            new Thread(() =>
            {
                Repeat(pairs / 20, pair);
                start.SignalAndWait();
                Repeat(pairs, pair);
                end.SignalAndWait();
            }).Start();
        }

        start.SignalAndWait();
        var before = Usage.Now();
        end.SignalAndWait();
        var after = Usage.Now();
        var wall = before.WallUntil(after).TotalNanoseconds / pairs;
        return new Measurement
        {
            Compared = wall,
            WallNanoseconds = wall,
            CpuNanoseconds = (after.Processor - before.Processor).TotalNanoseconds / pairs / Threads,
            Bytes = (double)(after.Bytes - before.Bytes) / pairs / Threads,
            Collections = after.Collections - before.Collections,
        };
    }

    private static void Repeat(int pairs, Action pair)
    {
        for (var i = 0; i < pairs; i++)
        {
            pair();
        }
    }

    private Measurement WithPending(Func<IDisposable> add, Func<Measurement> run)
    {
        // Spread over the threads that run, as they would be in a server.
        var added = new IDisposable[pending];
        Parallel.For(0, pending, i => added[i] = add());
        var measurement = run();
        Parallel.ForEach(added, static timer => timer.Dispose());
        return measurement;
    }

    private sealed class Scheduled(ScheduledTimer timer) : IDisposable
    {
        public void Dispose() => timer.Cancel();
    }
}
