using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.TimeoutTokens;

/// <summary>What does the timeout of a long-polling request cost, with more and more requests a second?</summary>
internal sealed class LongPolling(int timeoutsInHundred) : Workload
{
    private const string Baseline = "new CancellationTokenSource";
    private static readonly int[] s_rates = [50_000, 200_000, 400_000, 800_000];

    internal override string Name => $"long-polling-{timeoutsInHundred}";

    internal override string Question =>
        $"What does a long-polling upload cost, that is over after {PollingLoad.UploadMilliseconds} ms or, "
        + $"{timeoutsInHundred} in a hundred, times out after {PollingLoad.TimeoutMilliseconds} ms, at more and more "
        + "requests a second? (\"a second\" is what was reached; all else is per request)";

    internal override string ComparedBy => "processor time";

    internal override bool IsSlow => true;

    // One service is used for all rounds and rates, as in a server, so that its pooled objects are used again.
    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var timers = new TimerService();
        (string Name, Func<Upload, TimeSpan, Task<bool>> Poll)[] ways =
        [
            (Baseline, RequestTimeouts.NewSource),
            ("pooled, TryReset", RequestTimeouts.Pooled()),
            ("GetTimeoutToken", RequestTimeouts.SharedToken(timers)),
            ("RentTimeout", RequestTimeouts.Lease(timers)),
            .. timeoutsInHundred > 0
                ? []
                : new (string, Func<Upload, TimeSpan, Task<bool>>)[]
                {
                    ("no timeout at all", static (upload, _) => upload.WaitAsync(CancellationToken.None)),
                },
        ];
        var contestants = s_rates.SelectMany(rate => ways.Select(way =>
            new Contestant(
                At(rate, way.Name),
                () => PollingLoad.Run(way.Poll, rate, 1_000 / Math.Min(2, scale.Divisor), timeoutsInHundred))
            {
                Against = At(rate, Baseline),
            })).ToList();
        contestants[0] = contestants[0] with { Owned = timers };
        return contestants;
    }

    private static string At(int rate, string name) => $"{name}, {rate / 1_000}k/s";
}
