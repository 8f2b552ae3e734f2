using ScalableTimers.Compare.Running;
using ScalableTimers.Compare.Workloads.Firing;

namespace ScalableTimers.Compare.Workloads.Partitioned;

/// <summary>What do loops cost that wait for something by short delays, one after the other?</summary>
internal sealed class DelayLoops : Workload
{
    private const int Loops = 104;
    private const int Milliseconds = 15;

    internal override string Name => "partitioned-104-loops";

    internal override string Question =>
        $"What does a second cost in processor time in which {Loops} loops each await a delay of {Milliseconds} ms "
        + "again and again, and how late do the delays end? (the resolution is 10 ms where none is named, and then a "
        + "loop makes fewer delays; so CPU ns, for a delay, is what is compared)";

    internal override string ComparedBy => "processor time of a delay";

    internal override bool IsSlow => true;

    internal override bool CountsLockWaits => true;

    internal override int MostRounds => 3;

    // One service for all rounds.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        var precise = NewService(FiringMode.Auto);
        var onDriverThread = NewService(FiringMode.DriverThread);
        var queue = new GlobalLockQueue();
        var dueTimes = new DueTimes(Milliseconds, Milliseconds);
        var duration = TimeSpan.FromSeconds(scale.Divisor == 1 ? 3 : 1);
        Contestant Loop(string name, Func<TimeSpan, ValueTask> delay) =>
            new(name, () => Run(dueTimes, duration, delay));
        Contestant Ours(string name, TimerService service) => Loop(name, dueTime => service.Delay(dueTime)) with
        {
            Owned = service,
            HasCountedLocks = false,
        };
        return
        [
            Loop("Task.Delay", static dueTime => new ValueTask(Task.Delay(dueTime))),
            Loop("one lock, one list", dueTime => new ValueTask(queue.Delay(dueTime))) with { Owned = queue },
            Ours("Delay", timers),
            Ours("Delay, 1 ms resolution", precise),
            Ours("Delay, 1 ms resolution, driver thread", onDriverThread),
        ];
    }

    private static TimerService NewService(FiringMode firing) => new(new ScalableTimerOptions
    {
        Driver = TimerDriverKind.Thread,
        Resolution = TimeSpan.FromMilliseconds(1),
        Firing = firing,
    });

    private static Measurement Run(DueTimes dueTimes, TimeSpan duration, Func<TimeSpan, ValueTask> delay)
    {
        var random = new Random(1);
        var measured = new Beats(dueTimes)
            .Run(Loops, duration, beats => new AwaitedBeat(beats, Staggered(delay, random.Next(1, Milliseconds))));
        var each = measured.CpuMillisecondsPerSecond * 1e6 / measured.PerSecond;
        return measured with { Compared = each, CpuNanoseconds = each };
    }

    // The first delay of a loop is shorter, so that the loops do not all begin in step.
    private static Func<TimeSpan, ValueTask> Staggered(Func<TimeSpan, ValueTask> delay, int firstMilliseconds)
    {
        var first = TimeSpan.FromMilliseconds(firstMilliseconds);
        return dueTime =>
        {
            var next = first > TimeSpan.Zero ? first : dueTime;
            first = TimeSpan.Zero;
            return delay(next);
        };
    }
}
