using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>What does it cost to create a timer and to dispose of it, if each is one of the operating system?</summary>
internal sealed class CreatePeriodic : Workload
{
    private const int Pairs = 2_000_000;
    private const int SystemCallPairs = 200_000;
    private static readonly TimerCallback s_ignore = Cancelling.Timeouts.Ignore;
    private static readonly TimeSpan s_period = Cancelling.Timeouts.DueTime;

    internal override string Name => "periodic-create";

    internal override string Question =>
        "What does it cost to create a periodic timer of 30 s and to dispose of it at once, on 1 thread and on one for "
        + "each processor? (Schedule: a timer that fires once)";

    internal override string ComparedBy => "wall time";

    internal override int MostRounds => 3;

    // One service for all rounds.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        List<(string Name, int Pairs, Action<int> Loop, IDisposable? Owned)> kinds =
        [
            ("Timer", Pairs, OfTimer, null),
            ("CreateTimer", Pairs, OfCreateTimer(timers), timers),
            ("Schedule", Pairs, Cancelling.Timeouts.OfSchedule(timers), null),
        ];
        if (OperatingSystem.IsLinux())
        {
            var osTimers = new OsTimers();
            kinds.Add(("OS timer (timerfd)", SystemCallPairs, OfOsTimer(osTimers), osTimers));
        }

        return
        [
            .. from threads in new[] { 1, Environment.ProcessorCount }.Distinct()
               from kind in kinds
               select new Contestant(
                   Row(kind.Name, threads),
                   () => ThreadLoops.Run(threads, kind.Pairs / scale.Divisor, () => kind.Loop))
               {
                   Against = Row(kinds[0].Name, threads),
                   Owned = threads == 1 ? kind.Owned : null,
               },
        ];
    }

    private static string Row(string name, int threads) => $"{name}, {threads} thread{(threads == 1 ? "" : "s")}";

    private static void OfTimer(int pairs)
    {
        for (var i = 0; i < pairs; i++)
        {
            new Timer(s_ignore, null, s_period, s_period).Dispose();
        }
    }

    private static Action<int> OfCreateTimer(TimerService timers) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            timers.CreateTimer(s_ignore, null, s_period, s_period).Dispose();
        }
    };

    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    private static Action<int> OfOsTimer(OsTimers timers) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            timers.Create(s_ignore, null, s_period, s_period).Dispose();
        }
    };
}
