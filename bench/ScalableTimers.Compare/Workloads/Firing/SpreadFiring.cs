using System.Diagnostics;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>What it costs to fire, and how well time is kept.</summary>
internal sealed class SpreadFiring : Workload
{
    private const int SpreadMilliseconds = 1000;
    private const int LeadMilliseconds = 300;

    internal override string Name => "firing";

    internal override string Question => "What does it cost in processor time to schedule and fire a timer, with 200,000 due over one second, and when do they fire?";

    internal override string ComparedBy => "processor time";

    internal override IReadOnlyList<Contestant> Contestants(Scale scale) =>
    [
        new("Timer", () => Run(200_000 / scale.Divisor, static (shot, dueTime) => shot.Keep = new Timer(Shot.Fire, shot, dueTime, Timeout.InfiniteTimeSpan))),
        new("Schedule", () =>
        {
            using var timers = new TimerService();
            return Run(200_000 / scale.Divisor, (shot, dueTime) => timers.Schedule(Shot.Fire, shot, dueTime));
        }),
        new("Task.Delay", () => Run(200_000 / scale.Divisor, static (shot, dueTime) => _ = Await(shot, dueTime))),
        new("Delay", () =>
        {
            using var timers = new TimerService();
            return Run(200_000 / scale.Divisor, (shot, dueTime) => _ = Await(timers, shot, dueTime));
        }),
    ];

    private static async Task Await(Shot shot, TimeSpan dueTime)
    {
        await Task.Delay(dueTime).ConfigureAwait(false);
        Shot.Fire(shot);
    }

    private static async Task Await(TimerService timers, Shot shot, TimeSpan dueTime)
    {
        await timers.Delay(dueTime).ConfigureAwait(false);
        Shot.Fire(shot);
    }

    private static Measurement Run(int count, Action<Shot, TimeSpan> schedule)
    {
        var random = new Random(1);
        var shots = new Shot[count];
        using var fired = new CountdownEvent(count);
        for (var i = 0; i < count; i++)
        {
            shots[i] = new Shot(fired);
        }

        var before = Usage.Now();
        foreach (var shot in shots)
        {
            var dueTime = TimeSpan.FromMilliseconds(LeadMilliseconds + random.Next(SpreadMilliseconds));
            shot.DueAt = Stopwatch.GetTimestamp() + (long)(dueTime.TotalSeconds * Stopwatch.Frequency);
            schedule(shot, dueTime);
        }

        fired.Wait();
        var after = Usage.Now();
        var lateness = shots.Select(static shot => (shot.FiredAt - shot.DueAt) * 1000.0 / Stopwatch.Frequency).Order().ToList();
        var processor = (after.Processor - before.Processor).TotalNanoseconds / count;
        return new Measurement
        {
            Compared = processor,
            CpuNanoseconds = processor,
            Bytes = (double)(after.Bytes - before.Bytes) / count,
            Collections = after.Collections - before.Collections,
            Early = lateness.Count(static late => late < 0),
            EarliestMilliseconds = Math.Max(0, -lateness[0]),
            LateP50 = lateness[count / 2],
            LateP99 = lateness[count * 99 / 100],
            LateMax = lateness[^1],
        };
    }

    private sealed class Shot(CountdownEvent fired)
    {
        internal static readonly TimerCallback Fire = static shot =>
        {
            var self = (Shot)shot!;
            self.FiredAt = Stopwatch.GetTimestamp();
            self._fired.Signal();
        };

        private readonly CountdownEvent _fired = fired;

        internal long DueAt { get; set; }

        internal long FiredAt { get; private set; }

        internal object? Keep { get; set; }
    }
}
