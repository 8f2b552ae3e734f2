using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using ScalableTimers;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// The figures of <c>bench/results/grains.md</c>, as rows of its tables. <c>bench/run-all.sh grains</c> runs them.
/// </summary>
[Collection(typeof(Alone))]
public sealed class GrainLifeMeasurements(TwoSilos silos)
{
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(50);

    private readonly ITestOutputHelper _output = TestContext.Current.TestOutputHelper!;

    [Fact(Explicit = true)]
    public async Task Deactivation_WhileACallWaitsForTwoSeconds()
    {
        var wait = TimeSpan.FromSeconds(2);
        await Measure("`Task.Delay(2 s)`", _ => new ValueTask(Task.Delay(wait)));
        await Measure(
            "`Task.Delay(2 s, delay.DeactivationToken)`",
            self => new ValueTask(Task.Delay(wait, self.Delays.DeactivationToken)));
        await Measure("`delay.Delay(2 s)`", self => self.Delays.Delay(wait));

        async Task Measure(string name, Func<ScriptableGrain, ValueTask> begin)
        {
            var took = new List<double>();
            for (var i = 0; i < 5; i++)
            {
                var grain = (i % 2 == 0 ? silos.First : silos.Second).NewGrain();
                var call = await grain.BeginWait(begin);
                var activation = silos.Activation(grain);
                var start = Stopwatch.GetTimestamp();
                activation.BeginDeactivation();
                await activation.Deactivated;
                took.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
                await Record.ExceptionAsync(() => call);
            }

            took.Sort();
            Write($"| {name} | {took[2]:N1} ms | {took[0]:N1} to {took[4]:N1} |");
        }
    }

    [Fact(Explicit = true)]
    public async Task Delay_BegunAndEnded_InNanoseconds() => await silos.First.NewGrain().Run(self =>
    {
        const int Rounds = 500_000;
        var clock = new HandClock();
        using var timers = new TimerService(clock: clock);
        using var delays = ActivatorUtilities.CreateInstance<GrainDelay>(self.Services, timers);
        foreach (var keepAlive in (bool[])[false, true])
        {
            var nanoseconds = new List<double>();

            // The first one warms up the compiler.
            for (var i = 0; i < 4; i++)
            {
                delays.KeepAlive = keepAlive;
                var start = Stopwatch.GetTimestamp();
                for (var round = 0; round < Rounds; round++)
                {
                    var delay = delays.Delay(s_step).GetAwaiter();
                    clock.SkipAndRing(s_step);
                    delay.GetResult();
                }

                nanoseconds.Add(Stopwatch.GetElapsedTime(start).TotalNanoseconds / Rounds);
            }

            Write($"| a delay that begins and fires, KeepAlive {keepAlive} | {MedianAfterFirst(nanoseconds):N0} | | |");
        }

        return Task.CompletedTask;
    });

    [Fact(Explicit = true)]
    public async Task FirstDelay_OfAnActivation_InCpuAndBytes()
    {
        const int Grains = 5000;
        foreach (var keepAlive in (bool[])[false, true])
        {
            var (microseconds, allocated) = (new List<double>(), new List<double>());
            for (var i = 0; i < 4; i++)
            {
                var grains = Enumerable.Range(0, Grains).Select(_ => silos.First.NewGrain()).ToList();
                await Task.WhenAll(grains.Select(static grain => grain.Activate()));
                var (cpu, bytes) = (Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(precise: true));
                await Task.WhenAll(grains.Select(grain => grain.Run(self =>
                {
                    self.Delays.KeepAlive = keepAlive;
                    return self.Delays.Delay(TimeSpan.FromMilliseconds(1)).AsTask();
                })));
                microseconds.Add((Environment.CpuUsage.TotalTime - cpu).TotalMicroseconds / Grains);
                allocated.Add((double)(GC.GetTotalAllocatedBytes(precise: true) - bytes) / Grains);
                await Task.WhenAll(grains.Select(silos.Cluster.DeactivateAsync));
            }

            Write(
                $"| first delay of an activation, KeepAlive {keepAlive} | | {MedianAfterFirst(microseconds):N1} | "
                + $"{MedianAfterFirst(allocated):N0} |");
        }
    }

    private static double MedianAfterFirst(List<double> values) =>
        values.Skip(1).Order().ElementAt((values.Count / 2) - 1);

    private void Write(string line) => _output.WriteLine(line);
}
