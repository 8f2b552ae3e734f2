using ScalableTimers.Clock;
using ScalableTimers.Queues;
using ScalableTimers.Driving;
using ScalableTimers.Firing;
using ScalableTimers.Tests.Clock;
using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Driving;

/// <summary>Driver passes that the test makes itself, for a service whose own driver is never woken.</summary>
public sealed class DriverPassTests : IDisposable
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    private readonly int _test = Environment.CurrentManagedThreadId;
    private readonly HandClock _clock = new();
    private readonly TimerService _service;
    private readonly FiringWatchdog _patient;
    private readonly FiringWatchdog _impatient;

    public DriverPassTests()
    {
        _service = Services.OnThePool(_clock);

        // One watchdog never looks during a test. The other one looks every few milliseconds.
        _patient = new FiringWatchdog(new TickClock(_clock, TimeSpan.FromHours(1)));
        _impatient = new FiringWatchdog(new TickClock(_clock, TimeSpan.FromMilliseconds(1)));
    }

    public void Dispose()
    {
        _patient.Dispose();
        _impatient.Dispose();
        _service.Dispose();
    }

    [Fact]
    public async Task Run_NobodyWatches_FiresOnThePool()
    {
        using var fired = new CountdownEvent(300);
        var here = 0;
        Schedule(300, () => here += IsHere() ? 1 : 0, fired);
        _clock.Skip(s_tick);

        Assert.True(NewPass(_patient).Run());

        Wait.For(fired, "the timers");
        await _service.DisposeAsync();
        Assert.Equal((0, 300L), (here, _service.GetSnapshot().Fired));
    }

    [Fact]
    public void Run_Watched_FiresHereBeforeItReturns()
    {
        _ = new Watchdog(_patient);
        using var fired = new CountdownEvent(300);
        var here = 0;
        Schedule(300, () => here += IsHere() ? 1 : 0, fired);
        _clock.Skip(s_tick);

        Assert.True(NewPass(_patient).Run());

        Assert.Equal((300, 300L), (here, _service.GetSnapshot().Fired));
        Assert.Equal(TimerWheel.Never, _service.Driver.NextWakeTick);
    }

    [Fact]
    public void Run_TimersOfSeveralThreads_FiresThemAll()
    {
        _ = new Watchdog(_patient);
        using var fired = new CountdownEvent(500);
        for (var i = 0; i < 5; i++)
        {
            Wait.ForThread(() => Schedule(100, static () => { }, fired));
        }

        _clock.Skip(s_tick);

        Assert.True(NewPass(_patient).Run());

        Assert.Equal((500L, 0L), (_service.GetSnapshot().Fired, _service.GetSnapshot().Pending));
    }

    // Calibrated by not checking how far behind the firing thread is: all 300 timers fire on this thread.
    [Theory]
    [InlineData(2, 300)]
    [InlineData(3, 300 - (2 * FiringBatch.Capacity))]
    public async Task Run_MoreThanATickBehind_FullBatchesGoToThePool(int ticksLater, int firedHere)
    {
        _ = new Watchdog(_patient);
        using var fired = new CountdownEvent(300);
        var here = 0;
        Schedule(300, () => Interlocked.Add(ref here, IsHere() ? 1 : 0), fired);
        _clock.Skip(ticksLater * s_tick);

        Assert.True(NewPass(_patient).Run());

        Wait.For(fired, "the timers");
        await _service.DisposeAsync();
        Assert.Equal((firedHere, 300L), (here, _service.GetSnapshot().Fired));
    }

    [Fact]
    public async Task Run_ReplacedInTheMeantime_LeavesTheRestToTheNextFiringThread()
    {
        var watchdog = new Watchdog(_impatient);
        using var fired = new CountdownEvent(300);
        var isFirst = 1;
        Schedule(300, () =>
        {
            if (Interlocked.Exchange(ref isFirst, 0) == 1)
            {
                Assert.True(watchdog.Leads.Wait(TimeSpan.FromSeconds(30)));
            }
        }, fired);
        _clock.Skip(s_tick);

        Assert.False(NewPass(_impatient).Run());
        Assert.True(await watchdog.Leads);
        Assert.True(_service.Driver.NextWakeTick < 0, "The driver would sleep beside what is due.");

        Assert.True(NewPass(_impatient).Run());

        Wait.For(fired, "the timers");
        await _service.DisposeAsync();
        Assert.Equal((300L, 0L), (_service.GetSnapshot().Fired, _service.GetSnapshot().Failed));
    }

    [Fact]
    public void Run_CallbacksSchedule_WakesForWhatTheyHaveScheduled()
    {
        _ = new Watchdog(_patient);
        using var fired = new CountdownEvent(1);
        Schedule(1, () => _service.Schedule(static _ => { }, null, 5 * s_tick), fired);
        _clock.Skip(s_tick);

        Assert.True(NewPass(_patient).Run());

        Assert.Equal((6L, 1L), (_service.Driver.NextWakeTick, _service.GetSnapshot().Pending));
    }

    [Fact]
    public void Run_SteadyState_AllocatesNothing()
    {
        _ = new Watchdog(_patient);
        var pass = NewPass(_patient);
        TimerCallback ignore = static _ => { };
        void Round()
        {
            for (var i = 0; i < 200; i++)
            {
                _service.Schedule(ignore, null, s_tick);
            }

            _clock.Skip(s_tick);
            Assert.True(pass.Run());
        }

        // The least of several rounds counts. The first rounds also pay for compilation, and the runtime itself
        // allocates now and then.
        Assert.Equal(0, Enumerable.Range(0, 8).Min(_ =>
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < 50; i++)
            {
                Round();
            }

            return GC.GetAllocatedBytesForCurrentThread() - before;
        }));
    }

    private bool IsHere() => Environment.CurrentManagedThreadId == _test;

    private void Schedule(int count, Action then, CountdownEvent fired)
    {
        for (var i = 0; i < count; i++)
        {
            _service.Schedule(
                _ =>
                {
                    then();
                    fired.Signal();
                },
                null,
                s_tick);
        }
    }

    private DriverPass NewPass(FiringWatchdog watch) => new(
        _service.Driver,
        _service.Clock,
        (QueueRegistry)Services.Field(_service, "_collections")!,
        _service.Dispatcher,
        watch);
}
