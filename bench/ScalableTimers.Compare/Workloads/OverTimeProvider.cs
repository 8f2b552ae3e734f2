using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;
using ScalableTimers.Compare.Workloads.Polling;

namespace ScalableTimers.Compare.Workloads;

/// <summary>What do .NET's own types cost on the service's clock, and what do their replacements cost?</summary>
/// <remarks>A provider whose timers do nothing shows their own overhead.</remarks>
internal static class OverTimeProvider
{
    private const string Alone = "source alone";

    internal static IEnumerable<Workload> All { get; } =
    [
        new(
            "delays",
            "How much does it cost to start a delay and end it at once by its token, on 2 threads? The net figures "
            + "exclude creating the source, registering with it and cancelling it.",
            Column.Net,
            Delays)
        {
            Headlines =
            [
                ("a delay that its token ends, beside the token itself", "TryDelay", Column.Net),
                ("`Task.Delay` over our `TimeProvider`", "Task.Delay, TimeProvider", Column.Wall),
            ],
        },
        new(
            "timeouts",
            "How much does a token with a timeout cost that is not needed after all, on 2 threads? The last three rows "
            + "register with a shared token.",
            Column.Wall,
            Timeouts)
        {
            Headlines =
            [
                (
                    "`CancellationTokenSource` with a timeout over our `TimeProvider`",
                    "new source, TimeProvider",
                    Column.Wall),
            ],
        },
    ];

    // One service is used for all rounds, so that its pools are as full as a server's.
    private static IReadOnlyList<Contestant> Delays(Scale scale)
    {
        var timers = new TimerService();
        Contestant Of(string name, Action<int> loop) =>
            new(name, () => ThreadLoops.Run(threads: 2, scale.Of(1_000_000), () => loop))
            {
                Against = "Task.Delay",
                Without = Alone,
            };
        return
        [
            Of(Alone, Loops.OfSourceAlone) with { Against = Alone, Without = null, Owned = timers },
            Of("Task.Delay", Loops.OfTaskDelay(TimeProvider.System)),
            Of("TryDelay", Loops.OfTryDelay(timers)),
            Of("Task.Delay, TimeProvider", Loops.OfTaskDelay(timers.TimeProvider)),
            Of("Task.Delay, empty timers", Loops.OfTaskDelay(new EmptyTimeProvider())),
        ];
    }

    private static IReadOnlyList<Contestant> Timeouts(Scale scale)
    {
        var timers = new TimerService();
        var batched = new BatchedSources();
        var forAll = new CancellationTokenSource();
        Contestant Of(string name, Func<Action<int>> loop) =>
            new(name, () => ThreadLoops.Run(threads: 2, scale.Of(1_000_000), loop));
        return
        [
            Of("new source", static () => Loops.OfSource(TimeProvider.System)),
            Of("new source, TimeProvider", () => Loops.OfSource(timers.TimeProvider)) with { Owned = timers },
            Of("new source, empty timers", static () => Loops.OfSource(new EmptyTimeProvider())),
            Of("CancelAfter, TryReset", Loops.OfPooledSource),
            Of("batch, one lock", () => Loops.OfToken(batched.Get)) with { Owned = batched },
            Of("GetTimeoutToken", () => Loops.OfToken(timers.GetTimeoutToken)) with { Against = "batch, one lock" },
            Of("one token for all", () => Loops.OfToken(_ => forAll.Token)) with
            {
                Against = "batch, one lock",
                Owned = forAll,
            },
        ];
    }
}
