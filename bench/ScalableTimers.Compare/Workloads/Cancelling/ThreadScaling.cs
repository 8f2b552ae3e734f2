using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Cancelling;

/// <summary>How many unused timeouts do some threads have in a second altogether?</summary>
internal sealed class ThreadScaling : Workload
{
    internal override string Name => "thread-scaling";

    internal override string Question =>
        "How many timeouts that are cancelled at once do 1, 2, 4, 16 and 64 threads have in a second altogether?";

    internal override string ComparedBy => "throughput";

    internal override bool CountsLockWaits => true;

    internal static string Rival(int threads) => $"Timer, {Threads(threads)}";

    internal static string Ours(int threads) => $"Schedule, {Threads(threads)}";

    // One service is used for all rounds and numbers of threads. Threads end with their round, and later threads take
    // over their collections.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var schedule = Timeouts.OfSchedule(timers);
        var contestants = new List<Contestant>();
        foreach (var threads in (int[])[1, 2, 4, 16, 64])
        {
            contestants.Add(
                new(Rival(threads), () => Run(threads, 3_000_000 / scale.Divisor, Timeouts.OfTimer))
                {
                    Against = Rival(threads),
                });
            contestants.Add(
                new(Ours(threads), () => Run(threads, 12_000_000 / scale.Divisor, schedule))
                {
                    Against = Rival(threads),
                    HasCountedLocks = false,
                });
        }

        contestants[0] = contestants[0] with { Owned = timers };
        return contestants;
    }

    private static string Threads(int count) => count == 1 ? "1 thread" : $"{count} threads";

    private static Measurement Run(int threads, int pairs, Action<int> loop)
    {
        var measured = ThreadLoops.Run(threads, pairs / threads, () => loop);
        var pair = measured.WallNanoseconds / threads;
        return measured with { Compared = pair, WallNanoseconds = double.NaN, PerSecond = 1e9 / pair };
    }
}
