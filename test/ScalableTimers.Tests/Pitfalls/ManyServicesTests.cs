using ScalableTimers.Testing;

namespace ScalableTimers.Tests.Pitfalls;

/// <summary>
/// Many silos in one process; timers created on threads that are not the pool's; a service created and disposed a
/// thousand times.
/// </summary>
public class ManyServicesTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    [Fact]
    public void Services_ManyOnOneThread_EachFiresItsOwn()
    {
        var clock = new ManualTimeProvider();
        var services = Enumerable.Range(1, 50)
            .Select(
                i => new TimerService(new ScalableTimerOptions { Resolution = TimeSpan.FromMilliseconds(i) }, clock))
            .ToList();
        var fired = new int[services.Count];
        for (var round = 0; round < 20; round++)
        {
            for (var i = 0; i < services.Count; i++)
            {
                var number = i;
                services[i].Schedule(_ => fired[number]++, null, s_second);
            }
        }

        clock.Advance(2 * s_second);

        Assert.All(fired, static times => Assert.Equal(20, times));
        services.ForEach(static service => service.Dispose());
    }

    [Fact]
    public void Services_OneOfTwoDisposed_TheOtherGoesOn()
    {
        var clock = new ManualTimeProvider();
        var first = Services.OnThePool(clock);
        using var second = Services.OnThePool(clock);
        using var fired = new ManualResetEventSlim();
        first.Schedule(static _ => Assert.Fail("Dropped."), null, s_second);
        second.Schedule(_ => fired.Set(), null, s_second);

        first.Dispose();
        second.Schedule(static _ => { }, null, s_second);
        clock.Advance(s_second);

        Wait.For(fired, "the other service's timer");
        Assert.Equal(0, first.GetSnapshot().Fired);
    }

    [Fact]
    public void Schedule_OnAThreadOfOnesOwn_FiresOnThePool()
    {
        using var service = Services.WithSystemClock();
        var isPoolThread = false;
        using var fired = new ManualResetEventSlim();
        Wait.ForThread(() => service.Schedule(
            _ =>
            {
                isPoolThread = Thread.CurrentThread.IsThreadPoolThread;
                fired.Set();
            },
            null,
            TimeSpan.FromMilliseconds(1)));

        Wait.For(fired, "the timer of an ended thread");
        Assert.True(isPoolThread);
    }

    [Fact]
    public async Task Service_CreatedUsedAndDisposedAThousandTimes_WorksEachTime()
    {
        var clock = new ManualTimeProvider();
        for (var i = 0; i < 1_000; i++)
        {
            var service = new TimerService(clock: clock);
            var fired = 0;
            service.Schedule(_ => fired++, null, s_second);
            var delay = service.TryDelay(TimeSpan.FromHours(1), TestContext.Current.CancellationToken);
            clock.Advance(s_second);
            Assert.Equal(1, fired);
            if (i % 2 == 0)
            {
                service.Dispose();
            }
            else
            {
                await service.DisposeAsync();
            }

            Assert.False(await delay);
        }

        Assert.Equal(0, clock.ArmedTimers);
    }
}
