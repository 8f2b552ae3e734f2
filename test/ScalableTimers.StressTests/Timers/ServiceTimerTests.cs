using System.Diagnostics;
using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Timers;

/// <summary>
/// Periodic timers of the service by the real clock. They are never early and never re-entered, and every moment of the
/// grid is accounted for.
/// </summary>
[Trait("Category", "Stress")]
public class ServiceTimerTests
{
    // Calibrated in Release on 2 cores, one run each: with deadlines rounded down in ServiceTimer.ChooseTick 116 of 200
    // timers were early, with _isFiring cleared at the callback's start some were re-entered, and without the check of
    // _isDisposed in RepeatingEntry.Fire 184 of 200 started after DisposeAsync had ended.
    [Fact]
    public async Task PeriodicTimers_SomeSlowerThanTheirPeriod_FireOrSkipEachMoment()
    {
        foreach (var driver in Enum.GetValues<DriverChoice>())
        {
            var phase = $"periodic, driver {driver}";
            await using var service = Stress.NewService(driver);
            var random = Stress.NewRandom((int)driver);
            var timers = Enumerable.Range(0, 200).Select(_ => Create(service, random)).ToList();

            // At least one callback is slower than its period, whatever the seed.
            timers.Add(
                new TrackedITimer(
                    service,
                    TimeSpan.Zero,
                    StressTime.Milliseconds(1),
                    new PeriodicTimerOptions(),
                    static () => Thread.Sleep(3)));
            Thread.Sleep(TimeSpan.FromSeconds(Stress.Choose(0.4, 20)));

            // When the driver has served the timers and the callbacks have ended, every moment that has passed is a
            // firing or skipped.
            var now = Stopwatch.GetTimestamp();
            var least = timers.Sum(timer => timer.Moments(now).Least);
            Stress.WaitUntil(
                phase,
                () => Counted(service) >= least,
                () => $"{Counted(service)} of {least} moments are accounted for.");
            await Stress.WaitFor(
                phase, Task.WhenAll(timers.Select(static timer => timer.DisposeAsync())), "timers being disposed.");
            var most = timers.Sum(static timer => timer.Moments(Stopwatch.GetTimestamp()).Most);
            await service.DisposeAsync();

            Offenders.FailIfAny(phase, timers.Select(static timer => timer.Fault()));
            var counted = service.GetSnapshot();
            var starts = timers.Sum(static timer => timer.Firings);
            Stress.Log($"{phase}: {starts:N0} firings, {counted.Skipped:N0} skipped of {most:N0} moments");
            Assert.InRange(Counted(service), least, most);
            Assert.Equal(counted.Scheduled, counted.Fired + counted.Skipped + counted.Cancelled);

            // Some firings expired and were disposed before a thread ran them. They are counted but do not run. On a
            // busy machine, where overlapping is allowed, they are many.
            Assert.True(starts <= counted.Fired, $"{starts} callbacks have run, {counted.Fired} are counted.");
            Assert.True(counted.Skipped > 0, "No timer was slower than its period.");
        }
    }

    // Calibrated in Release on 2 cores, one run each: without the postponed firing of ServiceTimer some timers never
    // fired again, and with _isFiring cleared at the callback's start some were re-entered.
    [Fact]
    public async Task Change_WhileTheCallbackRuns_LosesNoLastFiringAndNeverReenters()
    {
        foreach (var driver in Enum.GetValues<DriverChoice>())
        {
            var phase = $"changing, driver {driver}";
            await using var service = Stress.NewService(driver);
            var lastRoundAt = Stress.LastRoundAt(0.5, 15);
            var all = new List<TrackedITimer>[2];
            StressThreads.Run(phase, 2, thread =>
            {
                var random = Stress.NewRandom(thread + (2 * (int)driver));
                var mine = all[thread] = [.. Enumerable.Range(0, 40).Select(_ => CreateOnce(service, random))];
                while (!StressTime.IsOver(lastRoundAt))
                {
                    mine[random.Next(mine.Count)].Change(StressTime.UpTo(1.5, random));
                    Thread.SpinWait(random.Next(500));
                }

                mine.ForEach(static timer => timer.Change(TimeSpan.Zero));
            });
            var timers = all.SelectMany(static mine => mine).ToList();
            Stress.WaitUntil(phase, () => timers.TrueForAll(static timer => timer.HasFiredLast), () =>
                $"{timers.Count(static timer => !timer.HasFiredLast)} of {timers.Count} have not fired since their "
                + "last change.");
            await Stress.WaitFor(
                phase, Task.WhenAll(timers.Select(static timer => timer.DisposeAsync())), "timers being disposed.");
            await service.DisposeAsync();

            Offenders.FailIfAny(phase, timers.Select(static timer => timer.Fault()));
            var counted = service.GetSnapshot();
            Stress.Log($"{phase}: {timers.Sum(static timer => timer.Firings):N0} firings of {counted.Scheduled:N0}");
            Assert.Equal((0L, 0L), (counted.Pending, counted.Skipped));
            Assert.Equal(counted.Scheduled, counted.Fired + counted.Cancelled);
        }
    }

    [Fact]
    public async Task DisposeOfTheService_WhilePeriodicTimersFire_NothingRunsAfterwards()
    {
        const string Phase = "disposal";
        for (var round = 0; round < Stress.Choose(20, 400); round++)
        {
            var service = Stress.NewService((DriverChoice)(round % 3));
            var random = Stress.NewRandom(round);
            var timers = Enumerable.Range(0, 50).Select(_ => Create(service, random)).ToList();
            Thread.Sleep(random.Next(1, 6));

            await Stress.WaitFor(Phase, service.DisposeAsync().AsTask(), "the service being disposed.");

            await Stress.WaitFor(
                Phase, Task.WhenAll(timers.Select(static timer => timer.DisposeAsync())), "timers being disposed.");
            Offenders.FailIfAny(Phase, timers.Select(static timer => timer.Fault()));
            var counted = service.GetSnapshot();
            Assert.Equal(counted.Scheduled, counted.Fired + counted.Skipped + counted.Cancelled + counted.Dropped);
        }
    }

    private static long Counted(TimerService service)
    {
        var counted = service.GetSnapshot();
        return counted.Fired + counted.Skipped;
    }

    private static TrackedITimer Create(TimerService service, Random random)
    {
        var options = new PeriodicTimerOptions
        {
            Tolerance = random.Next(2) == 0 ? TimeSpan.Zero : StressTime.UpTo(10, random),
            Overlap = random.Next(5) == 0 ? TimerOverlap.Allow : TimerOverlap.Skip,
        };
        var spin = random.Next(200);
        Action body = options.Overlap == TimerOverlap.Skip && random.Next(20) == 0 ? static () =>
            Thread.Sleep(3) : () => Thread.SpinWait(spin);
        return new TrackedITimer(
            service,
            StressTime.UpTo(8, random),
            StressTime.UpTo(8, random) + StressTime.Milliseconds(1),
            options,
            body);
    }

    private static TrackedITimer CreateOnce(TimerService service, Random random)
    {
        var spin = random.Next(10_000);
        return new TrackedITimer(
            service, Timeout.InfiniteTimeSpan, period: null, new PeriodicTimerOptions(), () => Thread.SpinWait(spin));
    }
}
