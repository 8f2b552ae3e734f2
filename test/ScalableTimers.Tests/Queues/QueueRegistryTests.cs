using ScalableTimers.Tests.Clock;
using System.Collections;
using System.Runtime.CompilerServices;
using ScalableTimers.Queues;

namespace ScalableTimers.Tests.Queues;

public class QueueRegistryTests
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    /// <summary>With fewer queues than this, the registry does not look for ended threads.</summary>
    private const int Constant = 16;

    private readonly ManualTimeProvider _clock = new();

    // Seen to fail when QueueRegistry never looks for ended threads: there were 2,000 queues.
    [Fact]
    public async Task Join_TwoThousandThreadsThatEnd_LeaveTheirTimersAndFewQueues()
    {
        const int Waves = 250;
        const int Wave = 8;
        using var service = Services.OnThePool(_clock);
        using var fired = new CountdownEvent(Waves * Wave);
        for (var i = 0; i < Waves; i++)
        {
            Wait.ForThreads(Wave, _ =>
            {
                service.Schedule(_ => fired.Signal(), null, s_hour);
                service.Schedule(s_ignore, null, s_hour).Cancel();
            });
        }

        Assert.InRange(service.GetSnapshot().Queues, 1, (2 * Wave) + Constant);
        Assert.Equal(Waves * Wave, service.GetSnapshot().Pending);

        _clock.Advance(s_hour);

        Wait.For(fired, "a timer of each thread");
        await Wait.For(service.DisposeAsync().AsTask(), "the disposal");
        var counted = service.GetSnapshot();
        Assert.Equal((0L, (long)Waves * Wave, (long)Waves * Wave), (counted.Pending, counted.Fired, counted.Cancelled));
    }

    [Theory]
    [InlineData(TimerServiceDriver.Thread)]
    [InlineData(TimerServiceDriver.Timer)]
    public void Dispose_OnTheSystemClock_ServiceIsCollectable(TimerServiceDriver driver)
    {
        var weak = Services.InAFrameOfItsOwn(() =>
        {
            var service = Services.WithSystemClock(driver);
            service.Schedule(s_ignore, null, s_hour);
            service.Dispose();
            if (Services.DriverThread(service) is { } thread)
            {
                Wait.ForEnd(thread);
            }

            return new WeakReference(service);
        });

        Wait.ForCollection(weak);
    }

    // Seen to fail when a thread did not find its queue of a disposed service again: there was one for each timer.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Current_TwoServicesInTurn_EachHasOne(bool areDisposed)
    {
        var services = new[] { Services.OnThePool(_clock), Services.OnThePool(_clock) };
        Array.ForEach(areDisposed ? services : [], static service => service.Dispose());

        for (var i = 0; i < 10; i++)
        {
            Array.ForEach(
                services,
                static service => service.TimeProvider.CreateTimer(s_ignore, null, s_hour, s_hour).Dispose());
        }

        Assert.All(services, static service => Assert.Equal(1, service.GetSnapshot().Queues));
    }

    // Seen to end the process when a driver's thread was started again with an event that had been finalized.
    [Fact]
    public void Finalizer_SetsATimerOfADisposedService_ItFires()
    {
        using var fired = new CountdownEvent(1);
        Services.InAFrameOfItsOwn(() =>
        {
            var service = Services.WithSystemClock();
            service.Schedule(s_ignore, null, s_hour);
            var driver = Services.DriverThread(service)!;
            service.Dispose();
            Wait.ForEnd(driver);
            return new WeakReference(new SetsATimerAtTheEnd(service.TimeProvider, fired));
        });

        Services.CollectGarbage();

        Wait.For(fired, "the timer");
    }

    [Fact]
    public void Dispose_OfAThousandServices_LeavesNothingOnTheThread()
    {
        var services = new List<WeakReference>();
        Wait.ForThread(() =>
        {
            for (var i = 0; i < 1_000; i++)
            {
                services.Add(Services.InAFrameOfItsOwn(() => UseAndDispose(_clock)));
            }

            var kept = (ICollection)Services.StaticField(typeof(QueueRegistry), "s_all")!;
            Assert.InRange(kept.Count, 0, 2);

            Wait.ForCollection(services);
        });
        Assert.Equal(0, _clock.ArmedTimers);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference UseAndDispose(TimeProvider clock)
    {
        var service = Services.OnThePool(clock);
        service.Schedule(s_ignore, null, s_hour);
        _ = service.TryDelay(s_hour);
        service.Dispose();
        return new WeakReference(service);
    }

    private sealed class SetsATimerAtTheEnd(TimeProvider clock, CountdownEvent fired)
    {
        ~SetsATimerAtTheEnd() =>
            clock.CreateTimer(_ => fired.Signal(), null, TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan);
    }
}
