using Microsoft.Extensions.Logging;
using ScalableTimers.Tests.Firing;

namespace ScalableTimers.Tests.Driving;

/// <summary>
/// Services with the system clock whose driver cannot start the threads that it needs. The tests wait for events.
/// </summary>
public class ThreadWakeSourceTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly CollectingLogger _logger = new();

    // Calibrated by not catching the exception in DriverThread.TryStart: the first call throws.
    // Calibrated by queueing no turn in ThreadWakeSource.Start: nothing fires, now or later.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Schedule_NoThreadCanBeStarted_EverythingFiresAndALineIsLogged(bool firesOnDriverThread)
    {
        var supply = new ScarceThreads(static _ => true);
        await using var service = NewService(supply, firesOnDriverThread);

        for (var round = 0; round < 5; round++)
        {
            using var fired = new CountdownEvent(7);
            for (var i = 0; i < 7; i++)
            {
                service.Schedule(_ => fired.Signal(), null, i * s_tick);
            }

            Wait.For(fired, "the timers");
        }

        await Wait.For(service.DisposeAsync().AsTask(), "callbacks ended");
        Assert.Equal((35L, 0L), (service.GetSnapshot().Fired, service.GetSnapshot().Pending));
        Assert.Empty(Services.DriverThreads(service));

        // On a busy machine the service may also warn that the pool is starved.
        static bool IsOfThreads((LogLevel Level, int Id, string Message, Exception? Exception) entry) =>
            entry is { Level: LogLevel.Warning, Id: 3 };
        Wait.Until(() => _logger.Entries.Any(IsOfThreads), "the warning");
        Assert.Single(_logger.Entries, IsOfThreads);
    }

    // Calibrated by not catching the exception in ThreadSupply.TryQueue: the first call throws.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Schedule_ThePoolHasNoThreadForTheWarning_EverythingFires(bool firesOnDriverThread)
    {
        var supply = new ScarceThreads(static _ => true) { RefusesWarnings = true };
        await using var service = NewService(supply, firesOnDriverThread);
        using var fired = new ManualResetEventSlim();

        service.Schedule(_ => fired.Set(), null, s_tick);

        Wait.For(fired, "the timer");
        Assert.Empty(_logger.Entries);
    }

    // Calibrated by never trying again in DriverThread.TryStart: the thread is not started.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Schedule_AThreadCanBeStartedLater_TheDriverGoesOverToIt(bool firesOnDriverThread)
    {
        var supply = new ScarceThreads(static number => number == 1);
        await using var service = NewService(supply, firesOnDriverThread);
        service.Schedule(static _ => Assert.Fail("Not due."), null, s_hour);

        Wait.For(supply.HasStarted, "a thread");
        using var fired = new ManualResetEventSlim();
        service.Schedule(_ => fired.Set(), null, s_tick);

        Wait.For(fired, "the timer");
        Assert.True(supply.Started.TryPeek(out var thread));
        Assert.Contains(thread, Services.DriverThreads(service));
    }

    // Calibrated by leaving _state at Queued when the pool fails: the nearer timer does not fire.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Schedule_ThePoolFailsToo_ANearerTimerTriesAgain(bool firesOnDriverThread)
    {
        var supply = new ScarceThreads(static _ => true) { IsTurnRefused = static number => number == 1 };
        await using var service = NewService(supply, firesOnDriverThread);
        service.Schedule(static _ => Assert.Fail("Not due."), null, s_hour);
        Assert.Equal(1, supply.Turns);
        using var fired = new ManualResetEventSlim();

        service.Schedule(_ => fired.Set(), null, s_tick);

        Wait.For(fired, "the nearer timer");
    }

    // Calibrated by not catching the pool's exception in FiringDispatcher.TryQueue: it ended the process.
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task Schedule_ThePoolRefusesAllBatches_TheDriversThreadFiresThem(
        bool firesOnDriverThread, bool queuesAllTheSame)
    {
        await using var service = Services.WithSystemClock(firesOnDriverThread: firesOnDriverThread);
        Services.SupplyBatches(service, new HandPool { Refuses = true, QueuesAllTheSame = queuesAllTheSame });
        using var fired = new CountdownEvent(600);
        for (var i = 0; i < 600; i++)
        {
            service.Schedule(_ => fired.Signal(), null, i % 3 * s_tick);
        }

        Wait.For(fired, "the timers");
        await Wait.For(service.DisposeAsync().AsTask(), "callbacks ended");
        Assert.Equal((600L, 0L), (service.GetSnapshot().Fired, service.GetSnapshot().Pending));
    }

    // Calibrated by not arming the wake-up source in TimerDriver.RelieveIfStarved: no later timer tries again.
    [Fact]
    public async Task Schedule_ThePoolFailsToo_LaterTimersTryAgainOnceTheDriverIsStarved()
    {
        var supply = new ScarceThreads(static _ => true) { IsTurnRefused = static number => number == 1 };
        await using var service = NewService(supply, firesOnDriverThread: false);
        using var fired = new ManualResetEventSlim();
        service.Schedule(_ => fired.Set(), null, s_tick);

        Wait.Until(
            () =>
            {
                service.Schedule(static _ => Assert.Fail("Not due."), null, s_hour);
                return supply.Turns > 1;
            },
            "a second turn");

        Wait.For(fired, "the first timer");
    }

    // When the pool throws for a turn, it may have queued the turn all the same. Calibrated by running each turn: it
    // drives at the same time as the thread.
    [Fact]
    public void Execute_AThreadDrivesMeanwhile_LeavesItAlone()
    {
        var supply = new ScarceThreads(static _ => false) { Runs = false };
        using var service = NewService(supply, firesOnDriverThread: false);
        service.Schedule(static _ => { }, null, TimeSpan.Zero);
        Wait.Until(() => service.Driver.NextWakeTick <= service.Clock.NowTick(), "the time to serve");

        ((IThreadPoolWorkItem)Services.Field(service.Driver, "_source")!).Execute();

        Assert.Equal((0L, 1), (service.GetSnapshot().DriverWakeUps, supply.Starts));
    }

    // Calibrated by letting the firing thread run batches while nobody watches (FiringWatchdog.TryBegin): a timer
    // behind the blocked one never fires.
    [Fact]
    public async Task Schedule_OnlyOneOfTwoThreadsCanBeStarted_EverythingFiresOnThePool()
    {
        var supply = new ScarceThreads(static number => number != 1);
        await using var service = NewService(supply, firesOnDriverThread: true);
        using var others = new CountdownEvent(100);
        using var release = new ManualResetEventSlim();
        var strangers = 0;
        for (var i = 0; i < 101; i++)
        {
            service.Schedule(i == 50 ? _ => Wait.For(release, "release") : _ =>
            {
                Interlocked.Add(ref strangers, Thread.CurrentThread.IsThreadPoolThread ? 0 : 1);
                others.Signal();
            }, null, s_tick);
        }

        Wait.For(others, "the others");
        release.Set();
        await Wait.For(service.DisposeAsync().AsTask(), "callbacks ended");
        Assert.Equal((0, 0L), (strangers, service.GetSnapshot().Failed));
        Assert.Single(supply.Started);
    }

    // Calibrated by trying to start the watchdog only once: every callback runs on the pool.
    [Fact]
    public async Task Schedule_TheWatchdogCanBeStartedLater_TheFiringThreadFiresItself()
    {
        var supply = new ScarceThreads(static number => number == 2);
        await using var service = NewService(supply, firesOnDriverThread: true);
        using var firedHere = new ManualResetEventSlim();
        void Next(object? state)
        {
            if (Thread.CurrentThread.IsThreadPoolThread)
            {
                service.Schedule(Next, null, s_tick);
            }
            else
            {
                firedHere.Set();
            }
        }

        service.Schedule(Next, null, s_tick);

        Wait.For(firedHere, "a callback on a driver thread");
        Assert.Equal(3, supply.Starts);
    }

    private TimerService NewService(ScarceThreads supply, bool firesOnDriverThread)
    {
        var options = new ScalableTimerOptions
        {
            Driver = TimerDriverKind.Thread,
            Resolution = s_tick,
            Firing = firesOnDriverThread ? FiringMode.DriverThread : FiringMode.Auto,
        };
        var service = new TimerService(options, logger: _logger);
        Services.Supply(service, supply);
        return service;
    }
}
