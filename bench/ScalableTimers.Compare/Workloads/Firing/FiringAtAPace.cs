using System.Runtime.Versioning;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>What does a timer cost that a server sets at a steady pace and that fires, between other work?</summary>
[SupportedOSPlatform("linux")]
internal sealed class FiringAtAPace(Pace pace) : Workload
{
    private static readonly TimeSpan s_dueTime = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);
    private static readonly TimerCallback s_fire = static _ => Interlocked.Increment(ref s_fired);

    // Only the thread that sets timers writes s_set.
    private static long s_set;
    private static long s_fired;

    internal static IEnumerable<FiringAtAPace> All { get; } = Pace.All.Select(static pace => new FiringAtAPace(pace));

    internal override string Name => $"paced-firing-{pace.Name}";

    internal override string Question =>
        $"What does a timer cost that fires after {s_dueTime.TotalMilliseconds:0} ms, set {pace.Text}"
        + " net ns is the time to set it, without what an empty burst takes. CPU ns is the processor time of all "
        + "threads but the one that sets them. Ours have a resolution of 10 ms.";

    internal override string ComparedBy => "the sum of both";

    internal override bool IsSlow => true;

    // One service for all rounds.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var onDriverThread = OnDriverThread.NewService();
        var walk = new CacheWalk(pace.Megabytes);
        var duration = TimeSpan.FromSeconds(1) / scale.Divisor;
        Contestant Compared(string name, Action start) =>
            new(name, () => Measure(duration, walk, count => Repeat(start, count)));
        return
        [
            Compared("Timer", StartTimers()),
            Compared("Task.Delay", static () => _ = AwaitAsync(new ValueTask(Task.Delay(s_dueTime)))),
            Compared("Schedule", () => timers.Schedule(s_fire, null, s_dueTime)) with { Owned = timers },
            Compared("Delay", () => _ = AwaitAsync(timers.Delay(s_dueTime))) with { Against = "Task.Delay" },
            Compared(OnDriverThread.Schedule, () => onDriverThread.Schedule(s_fire, null, s_dueTime)) with
            {
                Owned = onDriverThread,
            },
            Compared(OnDriverThread.Delay, () => _ = AwaitAsync(onDriverThread.Delay(s_dueTime))) with
            {
                Against = "Task.Delay",
            },
        ];
    }

    // A timer that nobody holds does not fire, so the last ones are held, more than are pending.
    private Action StartTimers()
    {
        var held = new Timer[pace.PerSecond];
        var next = 0;
        return () =>
        {
            held[next] = new Timer(s_fire, null, s_dueTime, Timeout.InfiniteTimeSpan);
            next = (next + 1) % held.Length;
        };
    }

    private Measurement Measure(TimeSpan duration, CacheWalk walk, Action<int> loop)
    {
        var measured = PacedLoop.RunWithOthers(pace.PerSecond, duration, walk, loop);
        return SpinWait.SpinUntil(static () => Interlocked.Read(ref s_fired) == s_set, s_patience)
            ? measured
            : throw new InvalidOperationException($"{s_set:N0} timers were set, and {s_fired:N0} have fired.");
    }

    private static void Repeat(Action start, int count)
    {
        s_set += count;
        for (var i = 0; i < count; i++)
        {
            start();
        }
    }

    private static async Task AwaitAsync(ValueTask delay)
    {
        await delay.ConfigureAwait(false);
        Interlocked.Increment(ref s_fired);
    }
}
