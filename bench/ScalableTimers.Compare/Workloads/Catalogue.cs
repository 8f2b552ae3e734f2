using ScalableTimers.Compare.Running;
using ScalableTimers.Compare.Workloads.Cancelling;
using ScalableTimers.Compare.Workloads.Connections;
using ScalableTimers.Compare.Workloads.Firing;
using ScalableTimers.Compare.Workloads.Partitioned;
using ScalableTimers.Compare.Workloads.Pending;
using ScalableTimers.Compare.Workloads.Periodic;
using ScalableTimers.Compare.Workloads.Statistics;
using ScalableTimers.Compare.Workloads.TimeoutTokens;

namespace ScalableTimers.Compare.Workloads;

/// <summary>All workloads.</summary>
internal static class Catalogue
{
    /// <summary>Gets the workloads that run when no names are given.</summary>
    internal static IReadOnlyList<Workload> DefaultSet { get; } =
    [
        new ScheduleThenCancel(pending: 0),
        new ScheduleThenCancel(pending: 1_000_000),
        new CancelAfterYield(),
        new CancelOnOtherThread(),
        new CancelByToken(),
        new OverTimeProvider(),
        new Rearming(),
        new ThreadScaling(),
        new ShortLivedThreads(),
        new SpreadOverSecond(200_000, "firing"),
        new SpreadOverSecond(2_000_000, "firing-2m"),
        new DelaysInOneTick(),
        new SteadyFirings(),
        new SteadyTicks(),
        new SaturatedPool(),
        new PendingBytes(),
        new IdleProcessor(),
    ];

    /// <summary>Gets the workloads that run only when they are named.</summary>
    internal static IReadOnlyList<Workload> OnlyWhenNamed { get; } =
    [
        new LongPolling(timeoutsInHundred: 0),
        new LongPolling(timeoutsInHundred: 1),
        new LongPolling(timeoutsInHundred: 100),
        new LongPollingDesigns(),
        new LongPollingSaturation(),
        new TokenRegistrations(),
        .. Pace.All.Select(static pace => new AtAPace(pace)),
        .. OperatingSystem.IsLinux() ? FiringAtAPace.All : [],
        new OperationAdds(),
        .. Enum.GetValues<CallbackKind>().Select(static callback => new ShortestPeriod(callback)),
        new CreatePeriodic(),
        new Coalescing(timers: 1_000),
        new Coalescing(timers: 100_000),
        new CreateThenDispose(yields: false, isServerGC: false),
        new CreateThenDispose(yields: true, isServerGC: false),
        new CreateThenDispose(yields: false, isServerGC: true),
        new CreateThenDispose(yields: true, isServerGC: true),
        new TimersThatFire(10_000, "partitioned-firing-10k"),
        new TimersThatFire(100_000, "partitioned-firing-100k"),
        new TimersThatFire(300_000, "partitioned-firing-300k"),
        new DroppedDelays(),
        new Resubscribing(),
        new Reconnecting(),
        new DelayLoops(),
    ];

    internal static IEnumerable<Workload> All => DefaultSet.Concat(OnlyWhenNamed);

    internal static void Write(TextWriter output)
    {
        Write("Run when no names are given", DefaultSet, output);
        Write("Run when named", OnlyWhenNamed, output);
    }

    private static void Write(string group, IReadOnlyList<Workload> workloads, TextWriter output)
    {
        if (workloads.Count > 0)
        {
            output.WriteLine($"{group}:");
            var width = All.Max(static workload => workload.Name.Length);
            workloads.ToList().ForEach(
                workload => output.WriteLine($"  {workload.Name.PadRight(width)}  {workload.Question}"));
        }
    }
}
