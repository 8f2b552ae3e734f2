using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Timers;

/// <summary>Timers of the time provider and of the service, changed and disposed just as they fire.</summary>
public class ChangeableTimerTests
{
    private const int TimersPerWave = 150;

    // Seen to fail in Release on 2 cores with deadlines rounded down in ChangeableTimer.ChooseTick: 17 to 44 of some
    // 5,000 timers of this test and the next were early, with each driver. Also with overlapping firings of the
    // service's timers: up to 22 of some 13,000 timers of this test were re-entered.
    [Theory]
    [ClassData(typeof(EachDriver))]
    public async Task Change_RacingWithFiring_FiresAtMostOncePerArmingAndAfterTheLast(TimerServiceDriver driver)
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

    // Seen to fail in Release on 2 cores without waiting in ChangeableTimer.DisposeAsync: 18 of 6,000 timers still had
    // a running callback.
    [Theory]
    [ClassData(typeof(EachDriver))]
    public async Task DisposeAsync_RacingWithFiring_NothingRunsAfterwards(TimerServiceDriver driver)
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

    private static T Keep<T>(List<T> all, T one)
    {
        lock (all)
        {
            all.Add(one);
        }

        return one;
    }

    /// <summary>A timer of the provider or of the service.</summary>
    private static TrackedITimer Create(TimerService service, Random random, bool isPeriodic)
    {
        TimeSpan? period = isPeriodic ? StressTime.Milliseconds(1) : null;
        var spin = random.Next(4000);
        void Spin() => Thread.SpinWait(spin);
        return random.Next(3) == 0
            ? new TrackedITimer(service, StressTime.UpTo(4, random), period, body: Spin)
            : new TrackedITimer(service.TimeProvider, StressTime.UpTo(4, random), period, Spin);
    }

    private static async Task EndAsync(string phase, TimerService service, List<TrackedITimer> timers)
    {
        await service.DisposeAsync();
        TrackedITimer.Verify(phase, timers);
        var counted = service.GetSnapshot();
        Assert.Equal((0, 0, 0), (counted.Pending, counted.InFlight, counted.Failed));
        Assert.Equal(counted.Scheduled, counted.Fired + counted.Skipped + counted.Cancelled + counted.Dropped);
    }
}
