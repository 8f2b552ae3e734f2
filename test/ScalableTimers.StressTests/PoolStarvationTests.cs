using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests;

/// <summary>Threads that go on scheduling while the pool is blocked and with it the driver, and the catching up afterwards.</summary>
[Trait("Category", "Stress")]
public class PoolStarvationTests
{
    [Theory]
    [InlineData(TimerDriverKind.Thread)]
    [InlineData(TimerDriverKind.Timer)]
    public async Task Schedule_WhileThePoolIsBlocked_EverythingFiresOnceAfterwards(TimerDriverKind driver)
    {
        var phase = $"starved, driver {driver}";
        for (var round = 0; round < Stress.Choose(1, 10); round++)
        {
            var ledger = new Ledger(phase);
            await using var service = Stress.NewService(driver);
            var random = Stress.NewRandom(round);
            var periodic = Enumerable.Range(1, 20)
                .Select(i => new TrackedProviderTimer(service.TimeProvider, StressTime.Milliseconds(i), StressTime.Milliseconds(random.Next(1, 10))))
                .ToArray();
            // Not disposed: the pool comes to some of those that wait for it much later.
            var release = new ManualResetEventSlim();
            Block(release);
            Schedule(phase, service, ledger);
            release.Set();
            ledger.WaitForAll();
            var firings = periodic.Sum(static timer => timer.Firings);
            var before = periodic.Select(static timer => timer.Firings).ToArray();
            Stress.WaitUntil(
                phase,
                () => periodic.Zip(before).All(static pair => pair.First.Firings > pair.Second),
                () => $"{periodic.Zip(before).Count(static pair => pair.First.Firings <= pair.Second)} of {periodic.Length} periodic timers have stopped.");
            await Stress.WaitFor(phase, Task.WhenAll(periodic.Select(static timer => timer.DisposeAsync())), "periodic timers being disposed.");
            await service.DisposeAsync();
            Offenders.FailIfAny(phase, periodic.Select(static timer => timer.Fault()));
            _ = ledger.Verify().Log();
            Stress.Log($"{phase}: {firings} periodic firings, {service.GetSnapshot()}");
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
