using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Cancelling;

/// <summary>What do threads cost that have a few timers each and end?</summary>
internal sealed class ShortLivedThreads : Workload
{
    private const int AtOnce = 8;
    private static readonly TimeSpan s_leftFor = TimeSpan.FromMilliseconds(20);

    internal override string Name => "short-lived-threads";

    internal override string Question =>
        "What does a thread cost that schedules 4 timers, cancels 2 of them, leaves 2 that are due in 20 ms, and ends? "
        + "(a thread, 8 at once; the last row is a thread without timers)";

    internal override string ComparedBy => "processor time";

    // One service is used for all rounds, because it is part of the question whether ended threads accumulate in it.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var threads = 4000 / scale.Divisor;
        var kept = new Timer[threads * 2];
        return
        [
            new("Timer", () => Run(threads, i =>
            {
                // The timers are kept, because the garbage collector would otherwise cancel them.
                kept[2 * i] = new Timer(Timeouts.Ignore, null, s_leftFor, Timeout.InfiniteTimeSpan);
                kept[(2 * i) + 1] = new Timer(Timeouts.Ignore, null, s_leftFor, Timeout.InfiniteTimeSpan);
                new Timer(Timeouts.Ignore, null, Timeouts.DueTime, Timeout.InfiniteTimeSpan).Dispose();
                new Timer(Timeouts.Ignore, null, Timeouts.DueTime, Timeout.InfiniteTimeSpan).Dispose();
            })),
            new("Schedule", () => Run(threads, _ =>
            {
                timers.Schedule(Timeouts.Ignore, null, s_leftFor);
                timers.Schedule(Timeouts.Ignore, null, s_leftFor);
                timers.Schedule(Timeouts.Ignore, null, Timeouts.DueTime).Cancel();
                timers.Schedule(Timeouts.Ignore, null, Timeouts.DueTime).Cancel();
            })) { Owned = timers },
            new("no timers", () => Run(threads, static _ => { })),
        ];
    }

    private static Measurement Run(int count, Action<int> use)
    {
        var before = Usage.Now();
        for (var done = 0; done < count; done += AtOnce)
        {
            var batch = Enumerable.Range(done, AtOnce)
                .Where(i => i < count)
                .Select(i => new Thread(() => use(i)))
                .ToList();
            batch.ForEach(static thread => thread.Start());
            batch.ForEach(static thread => thread.Join());
        }

        // The remaining timers fire within the measurement.
        Thread.Sleep(2 * s_leftFor);
        var after = Usage.Now();
        var processor = (after.Processor - before.Processor).TotalNanoseconds / count;
        return new Measurement
        {
            Compared = processor,
            CpuNanoseconds = processor,
            PerSecond = count / (before.WallUntil(after) - (2 * s_leftFor)).TotalSeconds,
            Bytes = (double)(after.Bytes - before.Bytes) / count,
        };
    }
}
