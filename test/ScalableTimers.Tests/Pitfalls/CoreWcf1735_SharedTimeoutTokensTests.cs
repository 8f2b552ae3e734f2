using ScalableTimers.Testing;

namespace ScalableTimers.Tests.Pitfalls;

/// <summary>
/// CoreWCF/CoreWCF #1735: shared timeout tokens lived to their expiry with the registrations of requests long finished,
/// 200,000 to 650,000 of them.
/// </summary>
public class CoreWcf1735_SharedTimeoutTokensTests
{
    [Fact]
    public void GetTimeoutToken_RequestsByTheHundredThousand_KeepFewSourcesAndNoRequest()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(clock: clock);
        var last = Services.InAFrameOfItsOwn(() =>
        {
            WeakReference? request = null;
            for (var i = 0; i < 100_000; i++)
            {
                var state = new object();
                service.GetTimeoutToken(TimeSpan.FromMinutes(1)).UnsafeRegister(static _ => { }, state).Dispose();
                request = new WeakReference(state);
                if (i % 100 == 0)
                {
                    clock.Advance(TimeSpan.FromMilliseconds(10));
                }
            }

            return request!;
        });

        // Ten seconds of requests take buckets of a quarter of a second each, plus the ones created in advance for the
        // next seconds.
        Assert.InRange(service.GetSnapshot().TimeoutTokens, 1, 46);
        Wait.ForCollection(last);
        clock.Advance(TimeSpan.FromMinutes(2));
        Assert.Equal(0, service.GetSnapshot().Pending);
    }

    [Fact]
    public void GetTimeoutToken_AfterItsTime_TheSourceIsCollectable()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(clock: clock);
        var source = Services.InAFrameOfItsOwn(
            () => new WeakReference(Services.Field(service.GetTimeoutToken(TimeSpan.FromSeconds(1)), "_source")));

        clock.Advance(TimeSpan.FromSeconds(2));
        Wait.ForCollection(source);
    }
}
