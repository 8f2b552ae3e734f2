using Microsoft.Extensions.DependencyInjection;
using ScalableTimers;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>What do filters, timeouts and deadlines add to a call?</summary>
internal static class GrainCalls
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(1);

    internal static Workload Workload { get; } = new(
        "grain-calls",
        "How much does a call within a silo cost with filters, timeouts and deadlines? One call at a time.",
        Column.Wall,
        Contestants);

    // Once a silo has any filter, Orleans' filter pipeline adds to the cost of every call.
    private static IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var calls = scale.Of(30_000);
        var plain = new Cluster(silos: 1, Cluster.Scalable);
        var filtered = new Cluster(silos: 1, static silo => silo
            .AddOutgoingGrainCallFilter(static context => context.Invoke())
            .AddIncomingGrainCallFilter(static context => context.Invoke()));
        var dated = new Cluster(silos: 1, static silo => silo.AddCallCancellation());
        var timers = plain.Services.GetRequiredService<TimerService>();
        var source = new CancellationTokenSource();
        Contestant Of(string name, Cluster cluster, Func<IDisposable>? begin = null, bool hasToken = false)
        {
            var callee = cluster.Callee(0);
            return new(name, () => Run(
                calls, () => hasToken ? callee.AnswerUnlessCancelled(1, source.Token) : callee.Answer(1), begin));
        }

        var direct = plain.Callee(0);
        return
        [
            Of("no filter", plain) with { Owned = plain },
            new("no filter, WithTimeout", () => Run(
                calls, () => new ValueTask<int>(timers.WithTimeout(direct.Answer(1).AsTask(), s_timeout)))),
            Of("empty filters", filtered) with { Owned = filtered },
            Of("empty filters, a value in the request context", filtered, static () => new Value()),
            Of("AddCallCancellation, no deadline", dated) with { Against = "empty filters", Owned = dated },
            Of("AddCallCancellation, a deadline", dated, static () => CallDeadline.Begin(s_timeout)) with
            {
                Against = "empty filters, a value in the request context",
            },
            Of("empty filters, a token", filtered, hasToken: true),
            Of("AddCallCancellation, a token", dated, hasToken: true) with { Against = "empty filters, a token" },
        ];
    }

    private static Measurement Run(int calls, Func<ValueTask<int>> call, Func<IDisposable>? begin = null)
    {
        async Task Repeat()
        {
            for (var i = 0; i < calls; i++)
            {
                await call();
            }
        }

        using var scope = begin?.Invoke();
        var before = Usage.Now();
        Repeat().GetAwaiter().GetResult();
        return Measurement.OfOperations(before, Usage.Now(), calls, threads: 1);
    }

    private sealed class Value : IDisposable
    {
        internal Value() => RequestContext.Set("key", 1L);

        public void Dispose() => RequestContext.Clear();
    }
}
