using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.TimeoutTokens;

/// <summary>What does the timeout of a long-polling request cost, with more and more requests a second?</summary>
internal sealed class LongPolling(int timeoutsInHundred) : Workload
{
    private static readonly int[] s_rates = [50_000, 200_000, 400_000, 800_000];

    internal override string Name => $"long-polling-{timeoutsInHundred}";

    internal override string Question =>
        $"What does a long-polling upload cost, that is over after {PollingLoad.UploadMilliseconds} ms or, "
        + $"{timeoutsInHundred} in a hundred, times out after {PollingLoad.TimeoutMilliseconds} ms, at more and more "
        + "requests a second? (\"a second\" is what was reached; all else is per request)";

    internal override string ComparedBy => "processor time";

    internal override bool IsSlow => true;

    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        // One service is used for all rounds and rates, as in a server, so that its pooled objects are used again.
        var timers = new TimerService();
        PollingWay[] ways =
        [
            RequestTimeouts.NewSource(),
            RequestTimeouts.Pooled(),
            RequestTimeouts.SharedToken(timers),
            RequestTimeouts.Lease(timers),
            .. timeoutsInHundred > 0 ? [] : (PollingWay[])[RequestTimeouts.None()],
        ];
        return PollingLoad.Contestants(ways, s_rates, timeoutsInHundred, scale);
    }
}
