using System.Diagnostics;
using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Timers;

/// <summary>
/// Timers of the time provider and of the service that are changed and disposed at the moment of firing. Every moment
/// of a grid is accounted for.
/// </summary>
public class ChangeableTimerTests
{
    private const int TimersPerWave = 150;

    // Calibrated in Release on 2 cores by rounding deadlines down in ChangeableTimer.ChooseTick: 17 to 44 of some 5,000
    // timers of this test and the next were early, with each driver.
    [Theory]
    [ClassData(typeof(EachDriver))]
    public async Task Change_RacingWithFiring_FiresOncePerArmingAndLastOfAll(DriverChoice driver)
    {
        for (var round = 0; round < Stress.Choose(1, 10); round++)
        {
            var phase = $"changing, round {round}, driver {driver}";
            await using var service = Stress.NewService(driver);
            var all = new List<TrackedITimer>();
            Waves.Run(
                phase,
                round,
                TimersPerWave,
                random => Keep(all, Create(service, random, isPeriodic: false)),
                static (actions, mine, _, random) =>
                {
                    var at = mine.DueAt;
                    for (var changes = random.Next(4); changes > 0; changes--)
                    {
                        // The change comes near the previous deadline.
                        var dueTime = StressTime.UpTo(3, random);
                        at = StressTime.Around(at, -1, 2, random);
                        actions.Add(at, () => mine.Change(dueTime));
                        at += StressTime.Units(dueTime);
                    }
                });
            TrackedITimer.WaitForLast(phase, all);
            await EndAsync(phase, service, all);
        }
    }

    // Calibrated in Release on 2 cores by not waiting in ChangeableTimer.DisposeAsync: 18 of 6,000 timers had a
    // callback that still ran, and 1 to 5 of 80 in the last but one test of this class.
    [Theory]
    [ClassData(typeof(EachDriver))]
    public async Task DisposeAsync_RacingWithFiring_NothingRunsAfterwards(DriverChoice driver)
    {
        for (var round = 0; round < Stress.Choose(1, 10); round++)
        {
            var phase = $"disposing, round {round}, driver {driver}";
            await using var service = Stress.NewService(driver);
            var all = new List<TrackedITimer>();
            var disposing = new List<Task>();
            Waves.Run(
                phase,
                round,
                TimersPerWave,
                random => Keep(all, Create(service, random, isPeriodic: random.Next(2) == 0)),
                (actions, mine, other, random) =>
                {
                    if (random.Next(3) == 0)
                    {
                        actions.AddNear(mine.DueAt, random, mine.Dispose);
                    }

                    actions.AddNear(mine.DueAt, random, () => Keep(disposing, mine.DisposeAsync()));
                    if (random.Next(3) == 0)
                    {
                        actions.AddNear(other.DueAt, random, () => Keep(disposing, other.DisposeAsync()));
                    }
                });
            await Stress.WaitFor(phase, Task.WhenAll(disposing), "timers being disposed.");
            await EndAsync(phase, service, all);
        }
    }

    // Calibrated in Release on 2 cores by letting a second firing in while one runs, in
    // ChangeableTimer.TryExpireLocked: 2 to 3 timers were re-entered, here and in the tests beside it.
    [Theory]
    [ClassData(typeof(EachDriver))]
    public async Task PeriodicTimers_SomeSlowerThanTheirPeriod_FireOrSkipEachMoment(DriverChoice driver)
    {
        var phase = $"periodic, driver {driver}";
        await using var service = Stress.NewService(driver);
        var random = Stress.NewRandom((int)driver);
        var timers = Enumerable.Range(0, 200).Select(_ => CreatePeriodic(service, random)).ToList();

        // At least one callback is slower than its period, whatever the seed.
        timers.Add(new TrackedITimer(service, TimeSpan.Zero, StressTime.Milliseconds(1), new(), Pause));
        Thread.Sleep(TimeSpan.FromSeconds(Stress.Choose(0.4, 20)));

        // When the driver has served the timers and the callbacks have ended, every moment that has passed is a firing
        // or skipped.
        var now = Stopwatch.GetTimestamp();
        var least = timers.Sum(timer => timer.Moments(now).Least);
        Stress.WaitUntil(
            phase, () => Counted(service) >= least, () => $"{Counted(service)} of {least} moments are accounted for.");
        await TrackedITimer.DisposeAllAsync(phase, timers);
        var most = timers.Sum(static timer => timer.Moments(Stopwatch.GetTimestamp()).Most);
        await EndAsync(phase, service, timers);

        var counted = service.GetSnapshot();
        Assert.InRange(Counted(service), least, most);

        // Some firings expired and were disposed before a thread ran them. They are counted but do not run. On a busy
        // machine, where overlapping is allowed, they are many.
        Assert.InRange(timers.Sum(static timer => timer.Firings), 1, counted.Fired);
        Assert.True(counted.Skipped > 0, "No timer was slower than its period.");
    }

    // Calibrated in Release on 2 cores without the firing that is owed (ChangeableTimer.TryExpireLocked): 1 of 80
    // timers never fired again.
    [Theory]
    [ClassData(typeof(EachDriver))]
    public async Task Change_WhileTheCallbackRuns_LosesNoLastFiringAndNeverReenters(DriverChoice driver)
    {
        var phase = $"changing while running, driver {driver}";
        await using var service = Stress.NewService(driver);
        var lastRoundAt = Stress.LastRoundAt(0.5, 15);
        var all = new List<TrackedITimer>();
        StressThreads.Run(phase, 2, thread =>
        {
            var random = Stress.NewRandom(thread + (2 * (int)driver));
            var mine = Enumerable.Range(0, 40).Select(_ => Keep(all, CreateStopped(service, random))).ToArray();
            while (!StressTime.IsOver(lastRoundAt))
            {
                mine[random.Next(mine.Length)].Change(StressTime.UpTo(1.5, random));
                Thread.SpinWait(random.Next(500));
            }
        });

        // When all have begun to fire, some still run. Those expire meanwhile, and must fire once more.
        for (var i = 0; i < 10; i++)
        {
            all.ForEach(static timer => timer.Change(TimeSpan.Zero));
            TrackedITimer.WaitForLast(phase, all);
        }

        await TrackedITimer.DisposeAllAsync(phase, all);
        await EndAsync(phase, service, all);
        Assert.Equal(0, service.GetSnapshot().Skipped);
    }

    [Fact]
    public async Task DisposeOfTheService_WhilePeriodicTimersFire_NothingRunsAfterwards()
    {
        const string Phase = "disposal";
        for (var round = 0; round < Stress.Choose(20, 400); round++)
        {
            var service = Stress.NewService((DriverChoice)(round % 3));
            var random = Stress.NewRandom(round);
            var timers = Enumerable.Range(0, 50).Select(_ => CreatePeriodic(service, random)).ToList();
            Thread.Sleep(random.Next(1, 6));
            await Stress.WaitFor(Phase, service.DisposeAsync().AsTask(), "the service being disposed.");
            await TrackedITimer.DisposeAllAsync(Phase, timers);
            await EndAsync(Phase, service, timers);
        }
    }

    private static T Keep<T>(List<T> all, T one)
    {
        lock (all)
        {
            all.Add(one);
        }

        return one;
    }

    private static void Pause() => Thread.Sleep(3);

    /// <summary>A timer of the provider or of the service.</summary>
    private static TrackedITimer Create(TimerService service, Random random, bool isPeriodic)
    {
        TimeSpan? period = isPeriodic ? StressTime.Milliseconds(1) : null;
        var spin = random.Next(4000);
        void Spin() => Thread.SpinWait(spin);
        return random.Next(3) == 0
            ? new TrackedITimer(service, StressTime.UpTo(4, random), period, new(), Spin)
            : new TrackedITimer(service.TimeProvider, StressTime.UpTo(4, random), period, Spin);
    }

    private static TrackedITimer CreatePeriodic(TimerService service, Random random)
    {
        var options = new CreateTimerOptions
        {
            Tolerance = random.Next(2) == 0 ? TimeSpan.Zero : StressTime.UpTo(10, random),
            Overlap = random.Next(5) == 0 ? TimerOverlap.Allow : TimerOverlap.Skip,
        };
        var spin = random.Next(200);
        var isSlow = options.Overlap == TimerOverlap.Skip && random.Next(20) == 0;
        return new TrackedITimer(
            service,
            StressTime.UpTo(8, random),
            StressTime.UpTo(8, random) + StressTime.Milliseconds(1),
            options,
            isSlow ? Pause : () => Thread.SpinWait(spin));
    }

    private static TrackedITimer CreateStopped(TimerService service, Random random)
    {
        var spin = random.Next(random.Next(4) == 0 ? 200_000 : 10_000);
        return new TrackedITimer(
            service, Timeout.InfiniteTimeSpan, period: null, new(), () => Thread.SpinWait(spin));
    }

    private static long Counted(TimerService service)
    {
        var counted = service.GetSnapshot();
        return counted.Fired + counted.Skipped;
    }

    private static async Task EndAsync(string phase, TimerService service, List<TrackedITimer> timers)
    {
        await service.DisposeAsync();
        TrackedITimer.Verify(phase, timers);
        var counted = service.GetSnapshot();
        Stress.Log($"{phase}: {timers.Count:N0} timers, {counted}");
        Assert.Equal((0, 0, 0), (counted.Pending, counted.InFlight, counted.Failed));
        Assert.Equal(counted.Scheduled, counted.Fired + counted.Skipped + counted.Cancelled + counted.Dropped);
    }
}
