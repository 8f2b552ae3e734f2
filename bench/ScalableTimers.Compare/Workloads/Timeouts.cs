using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;
using ScalableTimers.Compare.Workloads.Polling;

namespace ScalableTimers.Compare.Workloads;

/// <summary>What does a timeout cost that cancels a source, or ends the wait for a task?</summary>
internal static class Timeouts
{
    private const string Question =
        "How much does a timeout cost that is not needed after all: of a new source, of one linked to the caller's "
        + "token, of a reused one, of one that begins anew at each read, and around a task";

    private delegate Measurement Runner(int operations, Func<Action<int>> loop);

    internal static IEnumerable<Workload> All { get; } =
    [
        InALoop("timeouts-1", threads: 1),
        InALoop("timeouts", threads: 2),
        new(
            "timeouts-20k",
            $"{Question}, at 20,000 a second on one thread? It makes a burst each millisecond, then sleeps. The net "
            + "figures exclude the cost of an empty burst.",
            Column.Net,
            static scale => Contestants((_, loop) =>
                PacedLoop.Run(perSecond: 20_000, scale.Of(TimeSpan.FromSeconds(0.8)), megabytes: 0, loop()))),
        new(
            "tokens",
            "How much does it cost to register with a token that has a timeout, and to dispose of it, on 2 threads? "
            + "The first two rows create a source each time; all registrations of the others share one.",
            Column.Wall,
            Tokens),
    ];

    private static Workload InALoop(string name, int threads) => new(
        name,
        $"{Question}, in a loop on {(threads == 1 ? "1 thread" : "2 threads")}?",
        Column.Wall,
        scale => Contestants((operations, loop) => ThreadLoops.Run(threads, scale.Of(operations), loop)));

    // One service is used for all rounds, so that its pools are as full as a server's.
    private static IReadOnlyList<Contestant> Contestants(Runner run)
    {
        var timers = new TimerService();
        Contestant Of(string name, string against, Func<Action<int>> loop) =>
            new(name, () => run(1_000_000, loop)) { Against = against };
        return
        [
            Of("new source", "new source", static () => Loops.OfSource(TimeProvider.System)) with { Owned = timers },
            Of("new source, TimeProvider", "new source", () => Loops.OfSource(timers.TimeProvider)),
            Of("new source, timers.CancelAfter", "new source", () => Loops.OfCancelAfter(timers)),
            Of("linked source", "linked source", Loops.OfLinkedSource),
            Of("linked source, timers.CancelAfter", "linked source", () => Loops.OfLinkedSource(timers)),
            Of("reused source, TryReset", "reused source, TryReset", Loops.OfPooledSource),
            Of(
                "reused source, timers.CancelAfter",
                "reused source, TryReset",
                () => Loops.OfPooledSource(timers)),
            Of("source, CancelAfter at each read", "source, CancelAfter at each read", Loops.OfPushedSource),
            Of(
                "source, Reschedule at each read",
                "source, CancelAfter at each read",
                () => Loops.OfPushedSource(timers)),
            Of("WaitAsync", "WaitAsync", static () => Loops.OfWait(static (task, time) => task.WaitAsync(time))),
            Of(
                "WaitAsync, TimeProvider",
                "WaitAsync",
                () => Loops.OfWait((task, time) => task.WaitAsync(time, timers.TimeProvider))),
            Of("TrySetException, Schedule", "WaitAsync", () => Loops.OfWait(timers)),
        ];
    }

    private static IReadOnlyList<Contestant> Tokens(Scale scale)
    {
        var timers = new TimerService();
        var batched = new BatchedSources();
        var forAll = new CancellationTokenSource();
        Contestant Of(string name, Func<Action<int>> loop) =>
            new(name, () => ThreadLoops.Run(threads: 2, scale.Of(1_000_000), loop));
        return
        [
            Of("new source, TimeProvider", () => Loops.OfRegistration(timers.TimeProvider)) with { Owned = timers },
            Of("new source, timers.CancelAfter", () => Loops.OfRegistration(timers)),
            Of("batch, one lock", () => Loops.OfToken(batched.Get)) with { Owned = batched },
            Of("GetTimeoutToken", () => Loops.OfToken(timers.GetTimeoutToken)),
            Of("one token for all", () => Loops.OfToken(_ => forAll.Token)) with { Owned = forAll },
        ];
    }
}
