using System.Collections.Concurrent;

namespace ScalableTimers.Tests.Driving;

/// <summary>Services with the system clock that fire on their driver's thread. The tests wait for events.</summary>
public class FiringThreadTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(1);

    [Fact]
    public async Task Callback_OnceTheFiringThreadIsWatched_RunsOnAThreadOfTheService()
    {
        await using var service = NewService();

        var thread = await OnDriverThread(service, static () => Thread.CurrentThread);

        Assert.Contains(thread, Services.DriverThreads(service));
        Assert.True(thread.IsBackground);
    }

    [Fact]
    public async Task Delay_AwaitedWithoutContext_ResumesOnAThreadOfTheService()
    {
        await using var service = NewService();
        await OnDriverThread(service, static () => true);

        var thread = await Wait.For(ResumedOnAsync(service), "a delay resumed on a driver thread");

        Assert.Contains(thread, Services.DriverThreads(service));
    }

    // Calibrated by not catching the exception in TickSleep.Wait: it ended the process.
    [Fact]
    public async Task Thread_OfACallbackThatHasReturnedIsInterrupted_TimersFireOn()
    {
        await using var service = NewService();
        for (var i = 0; i < 20; i++)
        {
            var thread = await OnDriverThread(service, static () => Thread.CurrentThread);
            thread.Interrupt();
        }

        Assert.True(await OnDriverThread(service, static () => true));
    }

    // Calibrated by a watchdog that never takes over (no TryTakeOver in FiringWatchdog.UntilTakeOver): neither the
    // other timers of the batch nor the later ones fire.
    [Theory]
    [InlineData(0)]
    [InlineData(60)]
    [InlineData(127)]
    [InlineData(199)]
    public async Task Callback_Blocks_TheOthersOfItsTickAndLaterOnesFire(int blocked)
    {
        await using var service = NewService();
        using var release = new ManualResetEventSlim();
        using var others = new CountdownEvent(199);
        using var later = new CountdownEvent(20);
        await OnDriverThread(service, () =>
        {
            for (var i = 0; i < 200; i++)
            {
                service.Schedule(i == blocked ? _ => Wait.For(release, "release") : _ => others.Signal(), null, s_tick);
            }

            for (var i = 0; i < 20; i++)
            {
                service.Schedule(_ => later.Signal(), null, (2 + i) * s_tick);
            }

            return true;
        });

        Wait.For(others, "the others of the tick");
        Wait.For(later, "later timers");
        release.Set();
        await Wait.For(service.DisposeAsync().AsTask(), "callbacks ended");
        Assert.Equal(0, service.GetSnapshot().Failed);
    }

    [Fact]
    public async Task Callback_BlocksOnALaterTimer_IsLetGoByIt()
    {
        await using var service = NewService();
        using var later = new ManualResetEventSlim();
        await OnDriverThread(service, () =>
        {
            service.Schedule(_ => later.Set(), null, s_tick);
            Wait.For(later, "the timer that it waits for");
            return true;
        });
    }

    [Fact]
    public async Task Callback_IsStuck_AllOthersFireOnThePoolUntilItReturns()
    {
        // When the callback has returned, its thread becomes the watchdog, and the other thread fires by itself. The
        // operating system may suspend that other thread inside its batch for so long that it is replaced too, but not
        // in every round.
        var otherFires = false;
        for (var i = 0; !otherFires && i < 20; i++)
        {
            otherFires = await OtherFiresOnceTheFiringThreadHasBeenStuckAsync();
        }

        Assert.True(otherFires);
    }

    [Fact]
    public async Task Callback_OfEachFiringThreadInTurnIsStuck_DrivingPassesToAndFro()
    {
        await using var service = NewService();
        for (var round = 0; round < 4; round++)
        {
            using var other = new ManualResetEventSlim();
            await OnDriverThread(service, () =>
            {
                service.Schedule(_ => other.Set(), null, s_tick);
                Wait.For(other, "a timer while the firing thread is stuck");
                return true;
            });
        }
    }

    [Fact]
    public async Task Callback_SchedulesTheNext_AThousandTimes()
    {
        await using var service = NewService();
        using var all = new CountdownEvent(1_000);
        void Next(object? state)
        {
            if (!all.Signal())
            {
                service.Schedule(Next, null, TimeSpan.Zero);
            }
        }

        service.Schedule(Next, null, TimeSpan.Zero);

        Wait.For(all, "the chain");
    }

    [Fact]
    public async Task Callback_SchedulesOnTheFiringThread_NearerThanWhatItWouldSleepFor_Fires()
    {
        await using var service = NewService();
        service.Schedule(static _ => Assert.Fail("Not due."), null, TimeSpan.FromHours(1));
        using var fired = new ManualResetEventSlim();

        await OnDriverThread(service, () => service.Schedule(_ => fired.Set(), null, 5 * s_tick));

        Wait.For(fired, "the nearer timer");
    }

    [Fact]
    public async Task Callback_ThrowsOrSetsContexts_DisturbsNoOther()
    {
        await using var service = NewService();
        var local = new AsyncLocal<string?>();
        var seen = new ConcurrentBag<(string?, SynchronizationContext?)>();
        using var fired = new CountdownEvent(500);
        var before = await OnDriverThread(service, () =>
        {
            for (var i = 0; i < 500; i++)
            {
                service.Schedule(
                    _ =>
                    {
                        seen.Add((local.Value, SynchronizationContext.Current));
                        local.Value = "leaked";
                        SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
                        fired.Signal();
                        throw new InvalidOperationException("Thrown by the callback.");
                    },
                    null,
                    s_tick);
            }

            return service.GetSnapshot().Failed;
        });

        Wait.For(fired, "the timers");
        await Wait.For(service.DisposeAsync().AsTask(), "callbacks ended");
        Assert.All(seen, static values => Assert.Equal((null, null), values));
        Assert.Equal((0L, 500L), (before, service.GetSnapshot().Failed));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Dispose_InsideACallback_ReturnsAndBothThreadsEnd(bool waits)
    {
        var service = NewService();
        var fired = 0L;
        var counted = await OnDriverThread(service, () =>
        {
            if (waits)
            {
                Assert.True(service.DisposeAsync().AsTask().Wait(TimeSpan.FromSeconds(30)), "It waits for itself.");
            }
            else
            {
                service.Dispose();
            }

            return Interlocked.Increment(ref fired);
        });

        Assert.Equal(1, counted);
        Services.DriverThreads(service).ForEach(Wait.ForEnd);
    }

    [Fact]
    public async Task Dispose_WhileTheReplacedThreadIsStuck_BothThreadsEndWhenItReturns()
    {
        var service = NewService();
        using var release = new ManualResetEventSlim();
        using var other = new ManualResetEventSlim();
        var former = OnDriverThread(service, () =>
        {
            service.Schedule(_ => other.Set(), null, s_tick);
            Wait.For(release, "release");
            return true;
        });
        Wait.For(other, "the watchdog drives");
        var threads = Services.DriverThreads(service);

        service.Dispose();
        var ended = service.DisposeAsync().AsTask();
        Assert.False(ended.IsCompleted);
        release.Set();

        await Wait.For(ended, "the callback ended");
        await Wait.For(former, "the callback returned");
        threads.ForEach(Wait.ForEnd);
    }

    private static async Task<bool> OtherFiresOnceTheFiringThreadHasBeenStuckAsync()
    {
        await using var service = NewService();
        using var release = new ManualResetEventSlim();
        using var stuck = new ManualResetEventSlim();
        var former = OnDriverThread(service, () =>
        {
            stuck.Set();
            Wait.For(release, "release");
            return Thread.CurrentThread;
        });
        Wait.For(stuck, "the firing thread is stuck");
        for (var round = 0; round < 20; round++)
        {
            using var fired = new CountdownEvent(10);
            var strangers = 0;
            for (var i = 0; i < fired.InitialCount; i++)
            {
                service.Schedule(
                    _ =>
                    {
                        Interlocked.Add(ref strangers, Thread.CurrentThread.IsThreadPoolThread ? 0 : 1);
                        fired.Signal();
                    },
                    null,
                    s_tick);
            }

            Wait.For(fired, "timers while the firing thread is stuck");
            Assert.Equal(0, strangers);
        }

        release.Set();
        var first = await Wait.For(former, "the former firing thread");
        var second = await OnDriverThread(service, static () => Thread.CurrentThread);
        var drivers = Services.DriverThreads(service);
        Assert.Contains(first, drivers);
        Assert.Contains(second, drivers);
        return first != second;
    }

    private static async Task<Thread> ResumedOnAsync(TimerService service)
    {
        Thread thread;
        do
        {
            // On a very busy machine the watchdog may have taken over meanwhile, and then the pool fires for a while.
            // Or the delay has ended before it is awaited, and this thread continues.
            await service.Delay(s_tick).ConfigureAwait(false);
            thread = Thread.CurrentThread;
        }
        while (!Services.DriverThreads(service).Contains(thread));

        // The test continues on another thread.
        await Task.Yield();
        return thread;
    }

    private static TimerService NewService() =>
        Services.WithSystemClock(TimerDriverKind.Thread, firesOnDriverThread: true);

    /// <summary>
    /// Runs an action in a callback on a driver thread. The first callbacks run on the pool, until the watchdog watches
    /// the firing thread.
    /// </summary>
    private static Task<T> OnDriverThread<T>(TimerService service, Func<T> action)
    {
        var done = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        void Try(object? state)
        {
            if (Thread.CurrentThread.IsThreadPoolThread)
            {
                service.Schedule(Try, null, s_tick);
                return;
            }

            try
            {
                done.SetResult(action());
            }
            catch (Exception exception)
            {
                done.SetException(exception);
            }
        }

        service.Schedule(Try, null, TimeSpan.Zero);
        return Wait.For(done.Task, "a callback on a driver thread");
    }
}
