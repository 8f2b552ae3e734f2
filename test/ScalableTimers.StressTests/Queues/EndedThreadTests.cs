using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Queues;

/// <summary>Thousands of threads that schedule timers and end, while other threads cancel those timers.</summary>
public class EndedThreadTests
{
    private const int Starters = 4;
    private const int TimersPerThread = 8;

    /// <summary>The registry's promised limit: twice the threads alive when it last looked, plus a constant.</summary>
    private const int MostQueues = (2 * (Starters + 1)) + 16;

    // Seen to fail in Release on 2 cores. When QueueRegistry.FindEndedThreads treats no owner as ended, each driver
    // leaves too many queues. When TimerQueue.TrimOfEndedOwner drops the wheel even while timers are pending, the
    // process crashes at once.
    [Theory]
    [ClassData(typeof(EachDriver))]
    public async Task Schedule_FromThreadsThatEnd_TimersFireAndQueuesAreUsedAgain(TimerServiceDriver driver)
    {
        var phase = $"threads that end, driver {driver}";
        var threads = Stress.Choose(600, 30_000);
        var ledger = new Ledger(phase);
        await using var service = Stress.NewService(driver);
        var left = new Shelf<TrackedTimer>(64);
        var started = 0;
        StressThreads.Run(phase, Starters, starter =>
        {
            var random = Stress.NewRandom(starter);
            while (Interlocked.Increment(ref started) <= threads)
            {
                // Usually everything has ended, and the queue is trimmed, before the next thread takes the queue over.
                var longest = random.Next(4) == 0 ? 300 : 3;
                StressThreads.Run(phase, 1, _ => ScheduleSome(service, ledger, left, longest));
                _ = left.Exchange(null)?.Cancel();
            }
        });
        ledger.WaitForAll();
        await service.DisposeAsync();
        var counted = service.GetSnapshot();
        ledger.Verify().AssertAgrees(counted);
        Assert.InRange(counted.Queues, 1, MostQueues);
    }

    private static void ScheduleSome(TimerService service, Ledger ledger, Shelf<TrackedTimer> left, double longest)
    {
        for (var i = 0; i < TimersPerThread; i++)
        {
            var timer = ledger.Add(new TrackedTimer(ledger));
            timer.Schedule(service, StressTime.UpTo(longest, Random.Shared));
            _ = left.Exchange(timer)?.Cancel();
            if (i % 3 == 0)
            {
                // A timer of this queue, or of another one whose owner may have ended.
                _ = left.Exchange(null)?.Cancel();
            }
        }
    }
}
