using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests;

/// <summary>
/// Threads that continue to schedule while the pool, and with it the driver, is blocked. Afterwards the driver catches
/// up.
/// </summary>
[Trait("Category", "Stress")]
public class PoolStarvationTests
{
    [Theory]
    [InlineData(DriverChoice.Thread)]
    [InlineData(DriverChoice.Timer)]
    [InlineData(DriverChoice.FiringThread)]
    public async Task Schedule_WhileThePoolIsBlocked_EverythingFiresOnceAfterwards(DriverChoice driver)
    {
        var phase = $"starved, driver {driver}";
        for (var round = 0; round < Stress.Choose(1, 10); round++)
        {
            var ledger = new Ledger(phase);
            await using var service = Stress.NewService(driver);
            var random = Stress.NewRandom(round);
            var periodic = new TrackedITimer[20];
            for (var i = 0; i < periodic.Length; i++)
            {
                var (dueTime, period) = (StressTime.Milliseconds(i), StressTime.Milliseconds(random.Next(1, 10)));
                periodic[i] = new TrackedITimer(service.TimeProvider, dueTime, period);
            }

            // The event is not disposed, because the pool runs some of the work items that wait for it much later.
            var release = new ManualResetEventSlim();
            Block(release);
            Schedule(phase, service, ledger);
            release.Set();
            ledger.WaitForAll();
            var firings = Array.ConvertAll(periodic, static timer => timer.Firings);
            bool HasStopped(int i) => periodic[i].Firings == firings[i];
            var all = Enumerable.Range(0, periodic.Length).ToList();
            Stress.WaitUntil(
                phase, () =>
                    !all.Exists(HasStopped), () =>
                        $"{all.Count(HasStopped)} of {all.Count} periodic timers have stopped.");
            var disposing = Task.WhenAll(periodic.Select(static timer => timer.DisposeAsync()));
            await Stress.WaitFor(phase, disposing, "periodic timers being disposed.");
            await service.DisposeAsync();
            Offenders.FailIfAny(phase, periodic.Select(static timer => timer.Fault()));
            _ = ledger.Verify().Log();
            Stress.Log($"{phase}: {firings.Sum()} periodic firings, {service.GetSnapshot()}");
            Assert.Equal(0, service.GetSnapshot().Pending);
        }
    }

    /// <summary>Blocks more threads than the pool adds meanwhile.</summary>
    private static void Block(ManualResetEventSlim release)
    {
        ThreadPool.GetMinThreads(out var workers, out _);
        for (var i = 0; i < workers + 16; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static release => release.Wait(), release, preferLocal: false);
        }
    }

    private static void Schedule(string phase, TimerService service, Ledger ledger)
    {
        var lastRoundAt = StressTime.In(TimeSpan.FromSeconds(0.5));
        StressThreads.Run(phase, 2, thread =>
        {
            var random = Stress.NewRandom(thread);
            var part = ledger.NewPart();
            while (!StressTime.IsOver(lastRoundAt))
            {
                for (var i = 0; i < 100; i++)
                {
                    var timer = new TrackedTimer(ledger);
                    timer.Schedule(service, StressTime.UpTo(30, random));
                    part.Add(timer);
                    if (random.Next(3) == 0)
                    {
                        _ = ((TrackedTimer)part[random.Next(part.Count)]).Cancel();
                    }
                }

                Thread.Sleep(1);
            }
        });
    }
}
