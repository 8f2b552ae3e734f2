using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using ScalableTimers;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>How late are response timeouts, and what does checking for them cost?</summary>
/// <remarks>Unanswered calls would delay shutdown, so the silos just end with their process.</remarks>
internal static class ResponseTimeouts
{
    private const int Calls = 500;
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan s_settle = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_stretch = TimeSpan.FromSeconds(8);

    internal static Workload Lateness { get; } = new(
        "response-timeouts",
        $"How late do {Calls} unanswered calls between two silos time out, with a response timeout of 200 ms?",
        Column.LateP50,
        static _ =>
        [
            new("Orleans alone", static () => MeasureLateness(Cluster.Stock, isBoundedByCaller: false)),
            new("AddScalableTimers", static () => MeasureLateness(Cluster.Scalable, isBoundedByCaller: false)),
            new("WithTimeout", static () => MeasureLateness(Cluster.Scalable, isBoundedByCaller: true)),
        ])
    {
        HasOwnProcesses = true,
        Rounds = 3,
    };

    internal static Workload Outstanding { get; } = new(
        "outstanding-calls",
        "How much processor time does a process with two silos take while calls are outstanding?",
        Column.CpuPerSecond,
        static scale => Cluster.Rows(
            "AddScalableTimers",
            "calls",
            [0, 10_000, 100_000],
            (configure, calls) => MeasureOutstanding(configure, calls, scale)))
    {
        HasOwnProcesses = true,
        Rounds = 3,
    };

    private static Measurement MeasureLateness(Action<ISiloBuilder> configure, bool isBoundedByCaller)
    {
        var cluster = new Cluster(silos: 2, configure);
        var timers = isBoundedByCaller ? cluster.Services.GetRequiredService<TimerService>() : null;
        var calls = new List<Task<long>>();
        for (var i = 0; i < Calls; i++)
        {
            calls.Add(TimeOut(cluster.Callee(i % 50), timers));

            // A prime, so that the calls do not fall into step with any period.
            Thread.Sleep(7);
        }

        return ScalableTimers.Compare.Running.Lateness.AddTo(
            new Measurement(), Task.WhenAll(calls).GetAwaiter().GetResult());
    }

    private static async Task<long> TimeOut(ICallee grain, TimerService? timers)
    {
        var start = Stopwatch.GetTimestamp();
        try
        {
            await (timers?.WithTimeout(grain.Hang(), s_timeout) ?? grain.HangBriefly());
        }
        catch (TimeoutException)
        {
        }

        return Stopwatch.GetTimestamp() - start - (long)(s_timeout.TotalSeconds * Stopwatch.Frequency);
    }

    private static Measurement MeasureOutstanding(Action<ISiloBuilder> configure, int calls, Scale scale)
    {
        var cluster = new Cluster(silos: 2, configure);
        for (var i = 0; i < calls; i++)
        {
            cluster.Callee(i % 500).Hang().Ignore();
            if (i % 1000 == 999)
            {
                Thread.Sleep(20);
            }
        }

        Thread.Sleep(scale.Of(s_settle));
        return Measurement.OfIdleness(scale.Of(s_stretch));
    }
}
