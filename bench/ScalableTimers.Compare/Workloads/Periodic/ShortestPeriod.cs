using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>How many of its firings does a timer of one millisecond get, and at what price?</summary>
internal sealed class ShortestPeriod(CallbackKind callback) : Workload
{
    internal override string Name => $"periodic-{callback}".ToLowerInvariant();

    internal override string Question =>
        $"How many firings of one a millisecond does a periodic timer get whose callback {Describe(callback)}? (CPU ns "
        + "and bytes are for a firing; threads and memory at the end, beyond those before; each run is a process of "
        + "its own)";

    internal override string? ComparedBy => "firings";

    internal override bool IsSlow => true;

    // Each run has its own process.
    internal override bool IsWarmedUp => false;

    internal override int MostRounds => 3;

    internal override IReadOnlyList<Contestant> Contestants(Scale scale) =>
    [
        .. Enum.GetValues<PeriodicKind>().Where(PeriodicSource.IsAvailable).Select(kind =>
            new Contestant(
                PeriodicSource.NameOf(kind),
                () => PeriodicChild.Run(kind, callback, TimeSpan.FromSeconds(scale.Divisor == 1 ? 10 : 2)))),
    ];

    private static string Describe(CallbackKind callback) => callback switch
    {
        CallbackKind.Empty => "only counts",
        CallbackKind.Blocking => "blocks for 1 ms",
        CallbackKind.Writing => "writes a line to the console, a pipe that another process empties",
        _ => "adds up 300,000 numbers",
    };
}
