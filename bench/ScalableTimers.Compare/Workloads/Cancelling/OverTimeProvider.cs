using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Cancelling;

/// <summary>What do .NET's own types cost when the service keeps time for them?</summary>
internal sealed class OverTimeProvider : Workload
{
    internal override string Name => "time-provider";

    internal override string Question =>
        "What do Task.Delay + cancel, a source with a timeout + dispose, and a WaitAsync that completes cost "
        + "over the service's TimeProvider, on 2 threads? With a provider whose timers do nothing, what is left is "
        + ".NET's own part.";

    internal override string ComparedBy => "wall time";

    // One service is used for all rounds. The loops are the same, with another clock.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        Contestant[] Pair(string name, Func<TimeProvider, Action<int>> loop) =>
        [
            Compared(name, loop(TimeProvider.System)) with { Against = name },
            Compared($"{name}, TimeProvider", loop(timers.TimeProvider)) with { Against = name },
            Compared($"{name}, empty timers", loop(new EmptyTimeProvider())) with { Against = name },
        ];
        Contestant Compared(string name, Action<int> loop) =>
            new(name, () => ThreadLoops.Run(threads: 2, 1_000_000 / scale.Divisor, () => loop));
        Contestant[] all =
        [
            .. Pair("Task.Delay", Timeouts.OfTaskDelay),
            .. Pair("CancellationTokenSource", Timeouts.OfSource),
            .. Pair("WaitAsync", Timeouts.OfWaitAsync),
        ];
        all[0] = all[0] with { Owned = timers };
        return all;
    }
}
