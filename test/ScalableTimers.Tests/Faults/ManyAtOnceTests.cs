using ScalableTimers.Testing;

namespace ScalableTimers.Tests.Faults;

/// <summary>Ten thousand threads that end, and a thousand services that live at once.</summary>
public class ManyAtOnceTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    // Fails if ended threads are never looked for in CollectionRegistry: 10,000 collections.
    [Fact]
    public async Task Threads_TenThousandThatEnd_LeaveTheirTimersAndFewCollections()
    {
        const int Waves = 1_250;
        const int Wave = 8;
        var clock = new ManualTimeProvider();
        using var service = Services.OnThePool(clock);
        using var fired = new CountdownEvent(Waves * Wave);
        for (var i = 0; i < Waves; i++)
        {
            var threads = Enumerable.Range(0, Wave).Select(_ => new TestThread(() =>
            {
                service.Schedule(_ => fired.Signal(), null, s_second);
                service.Schedule(static _ => { }, null, s_second).Cancel();
            })).ToList();
            threads.ForEach(static thread => thread.Start());
            threads.ForEach(Wait.ForEnd);
        }

        // This is the bound of CollectionRegistryTests for the number of threads that were alive at once.
        Assert.InRange(service.GetSnapshot().Collections, 1, (2 * Wave) + 16);
        Assert.Equal(Waves * Wave, service.GetSnapshot().Pending);

        clock.Advance(s_second);

        Wait.For(fired, "a timer of each thread");
        await Wait.For(service.DisposeAsync().AsTask(), "the disposal");
        var counted = service.GetSnapshot();
        Assert.Equal((0L, (long)Waves * Wave, (long)Waves * Wave), (counted.Pending, counted.Fired, counted.Cancelled));
    }

    [Fact]
    public void Services_AThousandAtOnce_EachFiresItsOwn()
    {
        var clock = new ManualTimeProvider();
        var fired = new int[1_000];
        var services = Array.ConvertAll(fired, _ => new TimerService(clock: clock));
        for (var i = 0; i < services.Length; i++)
        {
            var number = i;
            _ = services[i].Schedule(_ => fired[number]++, null, s_second + TimeSpan.FromMilliseconds(i));
        }

        clock.Advance(s_second + TimeSpan.FromMilliseconds(490));
        Assert.Equal(491, fired.Sum());

        // Every second service is disposed before its last timer is due.
        for (var i = 0; i < services.Length; i += 2)
        {
            services[i].Dispose();
        }

        clock.Advance(s_second);
        Array.ForEach(services, static service => service.Dispose());

        Assert.Equal(Enumerable.Range(0, fired.Length).Select(static i => i <= 490 || i % 2 == 1 ? 1 : 0), fired);
        Assert.Equal(0, clock.ArmedTimers);
    }

    [Fact]
    public async Task Services_OfTheSystemClockAHundredAtOnce_EachFiresItsOwn()
    {
        using var fired = new CountdownEvent(100);
        var services = Enumerable.Range(0, fired.InitialCount)
            .Select(static i => Services.WithSystemClock((TimerDriverKind)(i % 3), firesOnDriverThread: i % 3 == 2))
                .ToList();
        foreach (var service in services)
        {
            _ = service.Schedule(_ => fired.Signal(), null, TimeSpan.FromMilliseconds(5));
        }

        Wait.For(fired, "a timer of each service");
        foreach (var service in services)
        {
            await Wait.For(service.DisposeAsync().AsTask(), "the disposal");
            Assert.Equal((1L, 0L), (service.GetSnapshot().Fired, service.GetSnapshot().Pending));
        }
    }
}
