using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// The figures of <c>docs/grains.md</c>. Run with <c>--explicit only --output Detailed --filter-class
/// '*GrainLifeMeasurements'</c>.
/// </summary>
public sealed class GrainLifeMeasurements(TwoSilos silos)
{
    private static readonly DeactivationReason s_byTheTest = new(
        DeactivationReasonCode.ApplicationRequested, "by the measurement");

    private readonly ITestOutputHelper _output = TestContext.Current.TestOutputHelper!;

    [Fact(Explicit = true)]
    public async Task Deactivation_WhileACallWaitsForTwoSeconds()
    {
        var wait = TimeSpan.FromSeconds(2);
        await Measure("Task.Delay", _ => new ValueTask(Task.Delay(wait)));
        await Measure(
            "Task.Delay with DeactivationToken",
            self => new ValueTask(Task.Delay(wait, self.Delays.DeactivationToken)));
        await Measure("IGrainDelay.Delay", self => self.Delays.Delay(wait));

        async Task Measure(string name, Func<ScriptableGrain, ValueTask> begin)
        {
            var took = new List<double>();
            for (var i = 0; i < 5; i++)
            {
                var grain = (i % 2 == 0 ? silos.First : silos.Second).NewGrain();
                var call = await grain.BeginWait(begin);
                var activation = silos.Activation(grain);
                var start = Stopwatch.GetTimestamp();
                activation.Deactivate(s_byTheTest, CancellationToken.None);
                await activation.Deactivated;
                took.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
                await Record.ExceptionAsync(() => call);
            }

            took.Sort();
            Write($"{name}: {took[2]:F1} ms (from {took[0]:F1} to {took[4]:F1})");
        }
    }

    [Fact(Explicit = true)]
    public async Task Delay_BegunAndEnded_InNanoseconds() => await silos.First.NewGrain().Run(self =>
    {
        const int Rounds = 500_000;
        var clock = new FrugalClock();
        using var timers = new TimerService(clock: clock);
        using var delays = ActivatorUtilities.CreateInstance<GrainDelay>(self.Services, timers);
        for (var i = 0; i < 3; i++)
        {
            foreach (var keepAlive in (bool[])[false, true])
            {
                delays.KeepAlive = keepAlive;
                var start = Stopwatch.GetTimestamp();
                for (var round = 0; round < Rounds; round++)
                {
                    var delay = delays.Delay(FrugalClock.Step).GetAwaiter();
                    clock.Advance();
                    delay.GetResult();
                }

                Write($"KeepAlive {keepAlive}: {Stopwatch.GetElapsedTime(start).TotalNanoseconds / Rounds:F0} ns");
            }
        }

        return Task.CompletedTask;
    });

    [Fact(Explicit = true)]
    public async Task FirstDelay_OfAnActivation_InCpuAndBytes()
    {
        const int Grains = 5000;
        for (var i = 0; i < 4; i++)
        {
            foreach (var keepAlive in (bool[])[false, true])
            {
                var grains = Enumerable.Range(0, Grains).Select(_ => silos.First.NewGrain()).ToList();
                await Task.WhenAll(grains.Select(static grain => grain.Activate()));
                var (cpu, bytes) = (Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(precise: true));
                await Task.WhenAll(grains.Select(grain => grain.Run(self =>
                {
                    self.Delays.KeepAlive = keepAlive;
                    return self.Delays.Delay(TimeSpan.FromMilliseconds(1)).AsTask();
                })));
                Write(
                    $"KeepAlive {keepAlive}: "
                    + $"{(Environment.CpuUsage.TotalTime - cpu).TotalMicroseconds / Grains:F1} µs of CPU, "
                    + $"{(GC.GetTotalAllocatedBytes(precise: true) - bytes) / Grains} bytes, the call "
                    + "included");
                await Task.WhenAll(grains.Select(silos.Cluster.DeactivateAsync));
            }
        }
    }

    private void Write(string line) => _output.WriteLine(line);
}
