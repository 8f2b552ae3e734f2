using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests;

/// <summary>
/// Threads keep scheduling while the pool, and with it the driver, is blocked. Then the driver catches up.
/// </summary>
public class PoolStarvationTests
{
    [Theory]
    [ClassData(typeof(EachDriver))]
    public async Task Schedule_WhileThePoolIsBlocked_EverythingFiresOnceAfterwards(TimerServiceDriver driver)
    {
        var phase = $"starved, driver {driver}";
        for (var round = 0; round < Stress.Choose(1, 10); round++)
        {
            var ledger = new Ledger(phase);
            await using var service = Stress.NewService(driver);
            var random = Stress.NewRandom(round);
            var periodic = Enumerable.Range(0, 20)
                .Select(i => new TrackedITimer(
                    service.TimeProvider, StressTime.Milliseconds(i), StressTime.Milliseconds(random.Next(1, 10))))
                .ToList();

            // The event is not disposed, because the pool runs some of the work items that wait for it much later.
            var release = new ManualResetEventSlim();
            ThreadPool.GetMinThreads(out var workers, out _);
            for (var i = 0; i < workers + 16; i++)
            {
                // More than the pool adds threads in that time.
                ThreadPool.UnsafeQueueUserWorkItem(static release => release.Wait(), release, preferLocal: false);
            }

            Schedule(phase, service, ledger);
            release.Set();
            ledger.WaitForAll();
            TrackedITimer.WaitForMore(phase, periodic);
            await TrackedITimer.DisposeAllAsync(phase, periodic);
            await service.DisposeAsync();
            TrackedITimer.Verify(phase, periodic);
            _ = ledger.Verify();
            Assert.Equal(0, service.GetSnapshot().Pending);
        }
    }

    private static void Schedule(string phase, TimerService service, Ledger ledger)
    {
        var lastRoundAt = StressTime.In(TimeSpan.FromSeconds(0.5));
        StressThreads.Run(phase, 2, thread =>
        {
            var random = Stress.NewRandom(thread);
            var mine = new List<TrackedTimer>();
            for (var i = 1; !StressTime.IsOver(lastRoundAt); i++)
            {
                mine.Add(ledger.Add(new TrackedTimer(ledger)));
                mine[^1].Schedule(service, StressTime.UpTo(30, random));
                if (random.Next(3) == 0)
                {
                    _ = mine[random.Next(mine.Count)].Cancel();
                }

                if (i % 100 == 0)
                {
                    Thread.Sleep(1);
                }
            }
        });
    }
}
