using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Collections;

/// <summary>Thousands of threads that schedule timers and end, while other threads cancel those timers.</summary>
[Trait("Category", "Stress")]
public class EndedThreadTests
{
    private const int Starters = 4;
    private const int TimersPerThread = 8;

    /// <summary>
    /// The registry's promised limit: twice the threads that were alive at its last look, and a constant.
    /// </summary>
    private const int MostCollections = (2 * (Starters + 1)) + 16;

    // Calibrated by treating no owner as ended in CollectionRegistry.FindEndedThreads: in 2 of 2 runs there was a
    // collection for each of 1,000 threads.
    [Theory]
    [InlineData(DriverChoice.Thread)]
    [InlineData(DriverChoice.Timer)]
    [InlineData(DriverChoice.FiringThread)]
    public async Task Schedule_FromThreadsThatEnd_TimersFireAndCollectionsAreUsedAgain(DriverChoice driver)
    {
        var phase = $"threads that end, driver {driver}";
        var threads = Stress.Choose(600, 30_000);
        var ledger = new Ledger(phase);
        await using var service = Stress.NewService(driver);
        var left = new TrackedTimer?[64];
        var started = 0;
        StressThreads.Run(phase, Starters, starter =>
        {
            var random = Stress.NewRandom(starter);
            while (Interlocked.Increment(ref started) <= threads)
            {
                var part = ledger.NewPart();
                var seed = random.Next();
                var thread = new Thread(() => ScheduleSome(service, ledger, part, left, new Random(seed)))
                {
                    IsBackground = true,
                };
                thread.Start();
                thread.Join();
                _ = Volatile.Read(ref left[random.Next(left.Length)])?.Cancel();
            }
        });
        ledger.WaitForAll();
        await service.DisposeAsync();
        var counted = service.GetSnapshot();
        Stress.Log($"{threads:N0} threads, {counted.Collections} collections");
        ledger.Verify().Log().AssertAgrees(counted);
        Assert.InRange(counted.Collections, 1, MostCollections);
    }

    private static void ScheduleSome(
        TimerService service, Ledger ledger, List<Tracked> part, TrackedTimer?[] left, Random random)
    {
        for (var i = 0; i < TimersPerThread; i++)
        {
            var timer = new TrackedTimer(ledger);
            timer.Schedule(service, random.Next(4) == 0 ? StressTime.UpTo(300, random) : StressTime.UpTo(3, random));
            part.Add(timer);
            Volatile.Write(ref left[random.Next(left.Length)], timer);
        }
    }
}
