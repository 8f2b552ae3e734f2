using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.TimeoutTokens;

/// <summary>How many requests a second can have timeouts until the processors can do no more?</summary>
internal sealed class LongPollingSaturation : Workload
{
    private const double FirstRate = 200_000;

    internal override string Name => "long-polling-saturation";

    internal override string Question =>
        "Up to how many long-polling uploads a second can be served? (\"a second\" is what was served of the "
        + $"highest load of which at least {PollingLoad.CarriedShare:P0} was served in time. The rest is per request "
        + $"at that load. None times out. The next load that was tried, up to {RisingLoad.Precision - 1:P0} more, was "
        + "too much.)";

    internal override string ComparedBy => "requests a second";

    internal override bool IsSlow => true;

    // Every round begins at a low load, which compiles the code.
    internal override bool IsWarmedUp => false;

    internal override int MostRounds => 5;

    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        PollingWay[] ways =
        [
            RequestTimeouts.NewSource(),
            RequestTimeouts.Pooled(),
            RequestTimeouts.Lease(timers),
            RequestTimeouts.Batched(partitions: 1),
            RequestTimeouts.Batched(partitions: 16),
            RequestTimeouts.SharedToken(timers),
            RequestTimeouts.None(),
        ];
        return
        [
            .. ways.Select(way =>
                new Contestant(way.Name, () => FindHighest(way, 500 / Math.Min(2, scale.Divisor)))
                {
                    Owned = way.Owned,
                }),
        ];
    }

    private static Measurement FindHighest(PollingWay way, int milliseconds)
    {
        var highest = new Measurement { Compared = double.PositiveInfinity, PerSecond = 0 };
        RisingLoad.FindHighest(FirstRate, rate =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            // Each processor begins a whole number of requests each millisecond.
            var step = 1_000 * Environment.ProcessorCount;
            var offered = (int)Math.Ceiling(rate / step) * step;
            var measured = PollingLoad.Run(way.Poll, offered, milliseconds, timeoutsInHundred: 0);
            var isCarried = measured.PerSecond >= PollingLoad.CarriedShare * offered;
            highest = isCarried ? measured with { Compared = 1e9 / measured.PerSecond } : highest;
            return isCarried;
        });
        return highest;
    }
}
