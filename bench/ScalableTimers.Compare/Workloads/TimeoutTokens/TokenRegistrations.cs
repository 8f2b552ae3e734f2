using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.TimeoutTokens;

/// <summary>How long does one token take to call all its registrations?</summary>
internal sealed class TokenRegistrations : Workload
{
    private const int Requests = 10_000;
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(300);

    internal override string Name => "token-registrations";

    internal override string Question =>
        $"How long after the first of {Requests:N0} requests that time out together is the last one told? (ns from the "
        + "first to the last; CPU ns for all)";

    internal override string ComparedBy => "time from the first to the last";

    internal override bool IsSlow => true;

    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        const string Shared = "GetTimeoutToken, one blocks 10 ms";
        return
        [
            new("new CancellationTokenSource for each", static () =>
                RegisteredCalls.Measure(Requests, blocks: false, static () =>
            {
                var sources = new CancellationTokenSource[Requests];
                for (var i = 0; i < sources.Length; i++)
                {
                    sources[i] = new CancellationTokenSource(s_timeout);
                }

                return (
                    [.. sources.Select(static source => source.Token)],
                    () => Array.ForEach(sources, static source => source.Dispose()));
            })),
            new("batch, one lock", MeasureBatched),
            new("GetTimeoutToken", static () => MeasureShared(blocks: false)),
            new("RentTimeout for each", static () => MeasureLeases(blocks: false)),
            new(Shared, static () => MeasureShared(blocks: true)) { Against = Shared },
            new("RentTimeout for each, one blocks 10 ms", static () => MeasureLeases(blocks: true))
            {
                Against = Shared,
            },
        ];
    }

    private static Measurement MeasureBatched() => RegisteredCalls.Measure(Requests, blocks: false, static () =>
    {
        var sources = new BatchedSources(partitions: 1);
        return (Enumerable.Repeat(sources.Get(s_timeout), Requests).ToArray(), sources.Dispose);
    });

    private static Measurement MeasureShared(bool blocks) => RegisteredCalls.Measure(Requests, blocks, static () =>
    {
        var timers = new TimerService();
        return (Enumerable.Repeat(timers.GetTimeoutToken(s_timeout), Requests).ToArray(), timers.Dispose);
    });

    private static Measurement MeasureLeases(bool blocks) => RegisteredCalls.Measure(Requests, blocks, static () =>
    {
        var timers = new TimerService();
        var leases = new TimeoutLease[Requests];
        for (var i = 0; i < leases.Length; i++)
        {
            leases[i] = timers.RentTimeout(s_timeout);
        }

        void End()
        {
            Array.ForEach(leases, static lease => lease.Dispose());
            timers.Dispose();
        }

        return ([.. leases.Select(static lease => lease.Token)], End);
    });
}
