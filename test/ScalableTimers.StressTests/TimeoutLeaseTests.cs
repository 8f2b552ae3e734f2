using System.Diagnostics;

namespace ScalableTimers.StressTests;

/// <summary>Rented timeouts that are returned at the moment at which they are cancelled.</summary>
[Trait("Category", "Stress")]
public class TimeoutLeaseTests
{
    private const string Phase = "timeout leases";

    // Calibrated by returning sources to the pool in any state: "cancelled early" at once. Also calibrated by a Wake
    // that does not look again after it has armed the timer, with a Thread.Sleep(1) before that: "not cancelled".
    [Fact]
    public void RentTimeout_ReturnedWhileCancelled_ReachesNoOtherTenant()
    {
        using var service = new TimerService(new ScalableTimerOptions { Resolution = StressTime.Milliseconds(1) });
        var lastRoundAt = StressTime.In(TimeSpan.FromSeconds(Stress.Choose(2, 60)));
        var timedOut = 0L;
        var inTime = 0L;
        StressThreads.Run(Phase, 4, thread =>
        {
            var random = Stress.NewRandom(thread);
            while (!StressTime.IsOver(lastRoundAt))
            {
                var hasTimedOut = RentOnce(service, random);
                Interlocked.Increment(ref hasTimedOut ? ref timedOut : ref inTime);
            }
        });

        Stress.Log($"{Phase}: {timedOut:N0} timed out, {inTime:N0} were returned in time");
        Assert.True(timedOut > 0 && inTime > 0);
    }

    private static bool RentOnce(TimerService service, Random random)
    {
        var timeout = random.Next(4) == 0
            ? TimeSpan.FromSeconds(30)
            : TimeSpan.FromTicks(random.Next(1, 4 * (int)TimeSpan.TicksPerMillisecond));
        // not disposed: cancelled late, on purpose
        var caller = random.Next(3) == 0 ? new CancellationTokenSource() : null;
        var start = Stopwatch.GetTimestamp();
        using var lease = service.RentTimeout(timeout, caller?.Token ?? default);
        if (caller is not null && random.Next(2) == 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static caller => caller.Cancel(), caller, preferLocal: false);
        }

        // This is about the moment of the timeout, sometimes a little before and sometimes after it.
        var until = timeout < TimeSpan.FromSeconds(1)
            ? timeout + TimeSpan.FromTicks(random.Next(-5_000, 15_000))
            : TimeSpan.FromTicks(random.Next(5_000));
        if (timeout < TimeSpan.FromSeconds(1) && random.Next(8) == 0)
        {
            Assert.True(lease.Token.WaitHandle.WaitOne(Stress.Guard), $"A timeout of {timeout} was not cancelled.");
        }

        while (Stopwatch.GetElapsedTime(start) < until && !lease.Token.IsCancellationRequested)
        {
            Thread.SpinWait(20);
        }

        var isCancelled = lease.Token.IsCancellationRequested;
        var hasTimedOut = lease.HasTimedOut;
        var elapsed = Stopwatch.GetElapsedTime(start);
        Assert.True(!hasTimedOut || elapsed >= timeout, $"A timeout of {timeout} came after {elapsed}.");
        Assert.True(
            !isCancelled || hasTimedOut || caller is { IsCancellationRequested: true },
            $"A timeout of {timeout} was cancelled early, after {elapsed}.");
        return hasTimedOut;
    }
}
