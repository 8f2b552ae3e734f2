using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>What does a grain still answer when it gets more calls than it can serve?</summary>
/// <remarks>
/// Calls wait in the grain's queue until their time is nearly up, so Orleans drops many answers before they are sent.
/// How many depends on when threads get a processor, so a single round says little; also compare how many answers
/// arrived and were discarded by the caller.
/// </remarks>
internal static class Overload
{
    private const int CallsPerSecond = 3_000;
    private static readonly TimeSpan s_work = TimeSpan.FromMicroseconds(500);
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_deadline = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan s_stretch = TimeSpan.FromSeconds(10);

    internal static Workload Workload { get; } = new(
        "overload",
        $"A grain works half a millisecond on each call and gets {CallsPerSecond:N0} calls a second from another silo. "
            + "What share does it answer within a second? Late answers came and were thrown away.",
        Column.Ideal,
        static scale =>
        [
            new("Orleans alone", () => Run(Cluster.Stock, scale)),
            new("AddScalableTimers", () => Run(Cluster.Scalable, scale)),
            new("AddScalableTimers, PromptResponseTimeouts = false", () => Run(
                static silo => silo.AddScalableTimers()
                    .Configure<OrleansTimerOptions>(static options => options.PromptResponseTimeouts = false),
                scale)),
            new("AddCallCancellation, budgets of 500 ms", () => Run(
                static silo => silo.AddCallCancellation(), scale, static () => CallDeadline.Begin(s_deadline))),
        ])
    {
        HasOwnProcesses = true,
        Rounds = 5,
    };

    private static Measurement Run(Action<ISiloBuilder> configure, Scale scale, Func<IDisposable>? begin = null)
    {
        var events = new EventCounter();
        var cluster = new Cluster(silos: 2, silo =>
        {
            silo.Configure<SiloMessagingOptions>(static options => options.ResponseTimeout = s_timeout);
            events.AddTo(silo);
            configure(silo);
        });
        var second = cluster.Second.GetRequiredService<IGrainFactory>().GetGrain<IHotGrain>(0);
        _ = second.Work(TimeSpan.Zero).AsTask().GetAwaiter().GetResult();
        var grain = cluster.Services.GetRequiredService<IGrainFactory>().GetGrain<IHotGrain>(0);

        _ = Call(grain, scale.Of(s_warmUp), begin);
        var (before, eventsBefore) = (Usage.Now(), events.Counts);
        var calls = Call(grain, scale.Of(s_stretch), begin);
        var (after, eventsAfter) = (Usage.Now(), events.Counts);

        // Keep up the load until the last of these calls has ended.
        _ = Call(grain, s_timeout * 1.5, begin);
        var answered = Task.WhenAll(calls).GetAwaiter().GetResult().Count(static isAnswered => isAnswered);
        var late = eventsAfter.LateAnswers - eventsBefore.LateAnswers;
        var measurement = Measurement.OfSeconds(before, after, answered);
        measurement[Column.Ideal] = 100.0 * answered / calls.Count;
        measurement[Column.LateAnswers] = 100.0 * late / (late + answered);
        measurement[Column.Warnings] =
            (eventsAfter.Warnings - eventsBefore.Warnings) / before.WallUntil(after).TotalSeconds;
        return measurement;
    }

    private static List<Task<bool>> Call(IHotGrain grain, TimeSpan duration, Func<IDisposable>? begin)
    {
        var calls = new List<Task<bool>>();
        var start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) is var elapsed && elapsed < duration)
        {
            for (var due = elapsed.TotalSeconds * CallsPerSecond; calls.Count < due;)
            {
                calls.Add(IsAnswered(grain, begin));
            }

            Thread.Sleep(1);
        }

        return calls;
    }

    private static async Task<bool> IsAnswered(IHotGrain grain, Func<IDisposable>? begin)
    {
        using var scope = begin?.Invoke();
        try
        {
            _ = await grain.Work(s_work);
            return true;
        }
        catch (TimeoutException)
        {
            return false;
        }
    }
}
