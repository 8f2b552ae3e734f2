using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Cancelling;

/// <summary>What does an unused timeout cost when the answer comes on another thread?</summary>
internal sealed class CancelOnOtherThread : Workload
{
    private const int HandlesUnderWay = 1024;

    internal override string Name => "cancel-elsewhere";

    internal override string Question =>
        "What does a timeout cost that one thread schedules and another cancels, with up to 1,024 under way between "
        + "them? Empty entries have a state that one thread writes and the other compares and exchanges, and go back "
        + "to the first through a second ring: a simple timer that is used again, without a clock. CPU includes "
        + "waiting for the other thread.";

    internal override string ComparedBy => "wall time";

    internal override bool CountsLockWaits => true;

    // One service for all rounds.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var pairs = 2_000_000 / scale.Divisor;
        return
        [
            new("Timer", () => Run<Timer>(
                pairs,
                static (ring, count) =>
                {
                    for (var i = 0; i < count; i++)
                    {
                        ring.Add(new Timer(Timeouts.Ignore, null, Timeouts.DueTime, Timeout.InfiniteTimeSpan));
                    }
                },
                static (ring, count) =>
                {
                    for (var i = 0; i < count; i++)
                    {
                        ring.Take().Dispose();
                    }
                })),
            new("Schedule", () => Run<ScheduledTimer>(
                pairs,
                (ring, count) =>
                {
                    for (var i = 0; i < count; i++)
                    {
                        ring.Add(timers.Schedule(Timeouts.Ignore, null, Timeouts.DueTime));
                    }
                },
                static (ring, count) =>
                {
                    for (var i = 0; i < count; i++)
                    {
                        ring.Take().Cancel();
                    }
                })) { Owned = timers, HasCountedLocks = false },
            new("empty entries", () =>
            {
                var idle = new Ring<EmptyEntry>(2 * HandlesUnderWay);
                for (var i = 0; i < 2 * HandlesUnderWay; i++)
                {
                    idle.Add(new EmptyEntry());
                }

                return Run<EmptyEntry>(
                    pairs,
                    (ring, count) =>
                    {
                        for (var i = 0; i < count; i++)
                        {
                            var entry = idle.Take();
                            entry.Begin();
                            ring.Add(entry);
                        }
                    },
                    (ring, count) =>
                    {
                        for (var i = 0; i < count; i++)
                        {
                            var entry = ring.Take();
                            Timeouts.MustHaveEnded(entry.TryEnd());
                            idle.Add(entry);
                        }
                    });
            }),
            new("hand-over alone", () => Run<object>(
                pairs,
                static (ring, count) =>
                {
                    for (var i = 0; i < count; i++)
                    {
                        ring.Add(ring);
                    }
                },
                static (ring, count) =>
                {
                    for (var i = 0; i < count; i++)
                    {
                        _ = ring.Take();
                    }
                })),
        ];
    }

    private static Measurement Run<T>(int pairs, Action<Ring<T>, int> schedule, Action<Ring<T>, int> cancel)
    {
        var ring = new Ring<T>(HandlesUnderWay);
        var threads = 0;
        var measured = ThreadLoops.Run(
            threads: 2,
            pairs,
            () =>
                Interlocked.Increment(ref threads) == 1 ? count =>
                    schedule(ring, count) : count => cancel(ring, count));
        return measured with { CpuNanoseconds = measured.CpuNanoseconds * 2, Bytes = measured.Bytes * 2 };
    }
}
