using System.Collections.Concurrent;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads;

/// <summary>What does it cost to move a timer later, as an idle timeout is at each read from a connection?</summary>
internal static class Moves
{
    internal static IEnumerable<Workload> All { get; } = [Of("moves-1", threads: 1), Of("moves", threads: 2)];

    private static Workload Of(string name, int threads) => new(
        name,
        "How much does it cost to move a timer to 30 s from now, in random order among 1,000 or 50,000 of a thread, on "
        + $"{(threads == 1 ? "1 thread" : "2 threads")}?",
        Column.Wall,
        scale => Contestants(loop => ThreadLoops.Run(threads, scale.Of(2_000_000), loop)));

    private static List<Contestant> Contestants(Func<Func<Action<int>>, Measurement> run)
    {
        var timers = new TimerService();
        var contestants = new List<Contestant>();
        foreach (var count in (int[])[1_000, 50_000])
        {
            var suffix = $", of {count:N0}";
            var control = $"Timer.Change{suffix}";
            Add(control, static () => new Timer(Loops.Ignore, null, Loops.DueTime, Timeout.InfiniteTimeSpan), Change);
            Add(
                $"Change over the TimeProvider{suffix}",
                () => timers.TimeProvider.CreateTimer(Loops.Ignore, null, Loops.DueTime, Timeout.InfiniteTimeSpan),
                Change);
            Add(
                $"Reschedule{suffix}",
                () => timers.Schedule(Loops.Ignore, null, Loops.DueTime),
                static timer => timer.Reschedule(Loops.DueTime));

            void Add<T>(string name, Func<T> create, Func<T, bool> move)
                where T : IDisposable => contestants.Add(new Contestant(name, () => Run(run, count, create, move))
                {
                    Against = control,
                    Owned = contestants.Count == 0 ? timers : null,
                });
        }

        return contestants;

        static bool Change(ITimer timer) => timer.Change(Loops.DueTime, Timeout.InfiniteTimeSpan);
    }

    private static Measurement Run<T>(
        Func<Func<Action<int>>, Measurement> run, int count, Func<T> create, Func<T, bool> move)
        where T : IDisposable
    {
        var all = new ConcurrentBag<T[]>();
        var measurement = run(Loop);
        foreach (var timer in all.SelectMany(static timers => timers))
        {
            timer.Dispose();
        }

        return measurement;

        Action<int> Loop()
        {
            var timers = Enumerable.Range(0, count).Select(_ => create()).ToArray();
            all.Add(timers);
            var order = Enumerable.Range(0, count).ToArray();
            new Random(1).Shuffle(order);
            var next = 0;
            return moves =>
            {
                for (var i = 0; i < moves; i++)
                {
                    Loops.MustBe(move(timers[order[next]]));
                    next = next + 1 == order.Length ? 0 : next + 1;
                }
            };
        }
    }
}
