using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.TimeoutTokens;

/// <summary>What do the parts of the design of shared tokens gain?</summary>
internal sealed class LongPollingDesigns : Workload
{
    private static readonly int[] s_rates = [400_000, 800_000];

    internal override string Name => "long-polling-designs";

    internal override string Question =>
        "What does a long-polling upload with a shared token cost, depending on how the tokens are found and created, "
        + "and without an asynchronous method around it? None times out, and \"a second\" is what was reached.";

    internal override string ComparedBy => "processor time";

    internal override bool IsSlow => true;

    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        PollingWay[] ways =
        [
            RequestTimeouts.Batched(partitions: 1),
            RequestTimeouts.Batched(partitions: 16),
            RequestTimeouts.SharedTokenNotAhead(),
            RequestTimeouts.SharedToken(timers),
            RequestTimeouts.SharedTokenWithoutMethod(timers),
        ];
        return PollingLoad.Contestants(ways, s_rates, timeoutsInHundred: 0, scale);
    }
}
