using System.Diagnostics;

namespace ScalableTimers.StressTests.Timers;

/// <summary>Delays that outlive their service, begun and cancelled by several threads while it is disposed.</summary>
[Trait("Category", "Stress")]
public class DetachedDelayTests
{
    private const string Phase = "lasting delays";

    // Calibrated in Release on 2 cores. Treating the service's end as a cancellation in DetachedDelay.End gave "false
    // and not cancelled" in the first round. Letting GoOnByClock wait only once, for whole milliseconds rounded down,
    // gave "early" in the first round.
    [Fact]
    public void Begin_WhileTheServiceIsDisposed_IsTrueOnTimeOrCancelled()
    {
        var lastRoundAt = Stress.LastRoundAt(2, 60);
        var elapsed = 0L;
        var cancelled = 0L;
        for (var round = 0; !StressTime.IsOver(lastRoundAt); round++)
        {
            var service = new TimerService(new ScalableTimerOptions { Resolution = StressTime.Milliseconds(1) });
            var seed = round;
            StressThreads.Run(Phase, 3, thread =>
            {
                var random = Stress.NewRandom((3 * seed) + thread);
                if (thread == 0)
                {
                    Thread.Sleep(random.Next(1, 8));
                    service.Dispose();
                    return;
                }

                var delays = Enumerable.Range(0, 300).Select(_ => BeginAsync(service, random)).ToArray();
                Assert.True(Task.WaitAll(delays, Stress.Guard), "Delays have not ended.");
                Interlocked.Add(ref elapsed, delays.Count(static delay => delay.Result));
                Interlocked.Add(ref cancelled, delays.Count(static delay => !delay.Result));
            });
        }

        Stress.Log($"{Phase}: {elapsed:N0} elapsed, {cancelled:N0} cancelled");
        Assert.True(elapsed > 0 && cancelled > 0);
    }

    private static async Task<bool> BeginAsync(TimerService service, Random random)
    {
        using var source = new CancellationTokenSource();
        var cancels = random.Next(3) == 0;
        var dueTime = StressTime.UpTo(12, random) + StressTime.Milliseconds(1);
        Thread.SpinWait(random.Next(300));
        var start = Stopwatch.GetTimestamp();
        var delay = service.BeginDetachedDelay(dueTime, source.Token);
        if (cancels)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static source => source.Cancel(), source, preferLocal: false);
        }

        var hasElapsed = await delay.ConfigureAwait(false);
        var took = Stopwatch.GetElapsedTime(start);
        Assert.True(!hasElapsed || took >= dueTime, $"A delay of {dueTime} was early, after {took}.");
        Assert.True(hasElapsed || cancels, $"A delay of {dueTime} was false and not cancelled, after {took}.");
        while (cancels && !source.IsCancellationRequested)
        {
            await Task.Yield();
        }

        return hasElapsed;
    }
}
