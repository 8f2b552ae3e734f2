using System.Net;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads;

/// <summary>What does the timeout of a request cost that is answered at once?</summary>
internal static class HttpTimeouts
{
    private static readonly Uri s_uri = new("http://localhost/");

    internal static Workload Workload { get; } = new(
        "http",
        "How much does a request of HttpClient cost that has a timeout and the caller's token and is answered at once, "
        + "on 1 and 2 threads? Rows after the first set the client's own timeout to infinite. GetTimeoutToken takes no "
        + "notice of the caller's token.",
        Column.Wall,
        static scale => [.. Contestants(threads: 1, scale), .. Contestants(threads: 2, scale)]);

    private delegate Task<HttpResponseMessage> Request(HttpClient client, CancellationToken caller);

    private static IEnumerable<Contestant> Contestants(int threads, Scale scale)
    {
        var timers = new TimerService();
        Contestant Of(string name, TimeSpan timeout, Request request) => new(
            Contestant.On(threads, name),
            () => ThreadLoops.Run(threads, scale.Of(500_000), () => Loop(timeout, request)))
        { Against = Contestant.On(threads, "HttpClient.Timeout") };
        return
        [
            Of("HttpClient.Timeout", Loops.DueTime, static (client, caller) => client.GetAsync(s_uri, caller)) with
            {
                Owned = timers,
            },
            Of("linked source", Timeout.InfiniteTimeSpan, static async (client, caller) =>
            {
                using var source = CancellationTokenSource.CreateLinkedTokenSource(caller);
                source.CancelAfter(Loops.DueTime);
                return await client.GetAsync(s_uri, source.Token).ConfigureAwait(false);
            }),
            Of("linked source, timers.CancelAfter", Timeout.InfiniteTimeSpan, async (client, caller) =>
            {
                using var source = CancellationTokenSource.CreateLinkedTokenSource(caller);
                using var timeout = timers.CancelAfter(source, Loops.DueTime);
                return await client.GetAsync(s_uri, source.Token).ConfigureAwait(false);
            }),
            Of("GetTimeoutToken", Timeout.InfiniteTimeSpan, (client, _) =>
                client.GetAsync(s_uri, timers.GetTimeoutToken(Loops.DueTime))),
        ];
    }

    private static Action<int> Loop(TimeSpan timeout, Request request)
    {
        var client = new HttpClient(new Answers()) { Timeout = timeout };
        var caller = new CancellationTokenSource();
        return requests =>
        {
            for (var i = 0; i < requests; i++)
            {
                var answer = request(client, caller.Token);
                Loops.MustBe(answer.IsCompletedSuccessfully);
            }
        };
    }

    private sealed class Answers : HttpMessageHandler
    {
        protected override Task<HttpResponseMessage> SendAsync(
            HttpRequestMessage request, CancellationToken cancellationToken) =>
            Task.FromResult(new HttpResponseMessage(HttpStatusCode.NoContent));
    }
}
