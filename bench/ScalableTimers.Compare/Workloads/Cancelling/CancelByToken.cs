using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Cancelling;

/// <summary>What does a delay cost that a token ends, beyond what the token costs?</summary>
internal sealed class CancelByToken : Workload
{
    private const string Alone = "source alone";

    internal override string Name => "cancel-by-token";

    internal override string Question =>
        "What does a delay cost that a token ends at once, on 2 threads? "
        + "The net figures are without the loop that only makes the source, registers with it and cancels it.";

    internal override string ComparedBy => "net wall time";

    // One service is used for all rounds, so that its pools are as full as a server's.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        Contestant Compared(string name, Action<int> loop) =>
            new(name, () => ThreadLoops.Run(threads: 2, 2_000_000 / scale.Divisor, () => loop));
        return
        [
            Compared(Alone, Timeouts.OfSourceAlone),
            Compared("Task.Delay", Timeouts.OfTaskDelay(TimeProvider.System)) with
            {
                Without = Alone,
                Against = "Task.Delay",
            },
            Compared("TryDelay", Timeouts.OfTryDelay(timers)) with
            {
                Without = Alone,
                Against = "Task.Delay",
                Owned = timers,
            },
        ];
    }
}
