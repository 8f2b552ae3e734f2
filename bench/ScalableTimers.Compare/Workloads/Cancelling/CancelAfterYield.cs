using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Cancelling;

/// <summary>
/// What does an unused timeout cost when the operation gives its thread up meanwhile, so that another may cancel?
/// </summary>
internal sealed class CancelAfterYield : Workload
{
    private const string None = "no timeout";

    internal override string Name => "schedule-yield-cancel";

    internal override string Question =>
        "What does a timeout cost that is cancelled after an await Task.Yield(), in 2 loops on the pool? "
        + "The net figures are without the same loop without a timeout, which is most of the cost.";

    internal override string ComparedBy => "wall time";

    internal override bool ComparesNet => false;

    // One service for all rounds.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        Contestant Loop(string name, Func<int, Task> loop) =>
            new(name, () => TaskLoops.Run(tasks: 2, 1_000_000 / scale.Divisor, loop)) { Against = "Timer" };
        Contestant Net(string name, Func<int, Task> loop) => Loop(name, loop) with { Without = None };
        return
        [
            Net("Timer", OfTimer),
            Net("pooled source", OfPooledSource),
            Net("Schedule", pairs => OfSchedule(timers, pairs)) with { Owned = timers },
            Loop(None, OfNothing),
        ];
    }

    private static async Task OfTimer(int pairs)
    {
        for (var i = 0; i < pairs; i++)
        {
            var timer = new Timer(Timeouts.Ignore, null, Timeouts.DueTime, Timeout.InfiniteTimeSpan);
            await Task.Yield();
            timer.Dispose();
        }
    }

    private static async Task OfPooledSource(int pairs)
    {
        using var source = new CancellationTokenSource();
        for (var i = 0; i < pairs; i++)
        {
            source.CancelAfter(Timeouts.DueTime);
            await Task.Yield();
            Timeouts.MustHaveEnded(source.TryReset());
        }
    }

    private static async Task OfSchedule(TimerService timers, int pairs)
    {
        for (var i = 0; i < pairs; i++)
        {
            var timer = timers.Schedule(Timeouts.Ignore, null, Timeouts.DueTime);
            await Task.Yield();
            timer.Cancel();
        }
    }

    private static async Task OfNothing(int pairs)
    {
        for (var i = 0; i < pairs; i++)
        {
            await Task.Yield();
        }
    }
}
