using Orleans.Timers.Scalable.Calls;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Bounded calls of an application with a filter that repeats calls, and a filter that waits before it calls.
/// </summary>
[Collection(typeof(CallSilos))]
public sealed class CallTimeoutRetryTests(CallSilos silos)
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(100);

    private readonly Guid _gate = Guid.NewGuid();

    // Failed with our filter inside the other one: the second attempt bypassed it, and waited until Orleans gave up.
    [Fact]
    public async Task Timeout_FilterCallsAgain_TheTimeoutBoundsAllAttempts()
    {
        CallFilters.Repeats.Value = true;
        var before = CallTimers.Of(silos.ClientTimers).Statistics.Figures;
        using var scope = CallTimeout.Begin(s_timeout);

        await Assert.ThrowsAsync<TimeoutException>(() => silos.NewGrain().Wait(_gate).Guarded("the call times out"));

        Assert.Equal(before.TimedOut + 1, CallTimers.Of(silos.ClientTimers).Statistics.Figures.TimedOut);
        Gate.Of(_gate).Open(1);
    }

    // Failed when the call continued with the context left by the timeout: the filter entered itself, and the call was
    // not made.
    [Fact]
    public async Task Timeout_FilterWaitsBeforeItCalls_IsEnteredOnceAndGoesOn()
    {
        var waits = CallFilters.Waits.Value = new Gate();
        using var scope = CallTimeout.Begin(s_timeout);
        await Assert.ThrowsAsync<TimeoutException>(() => silos.NewGrain().Wait(_gate).Guarded("the call times out"));
        await waits.Reached.Guarded("the filter waits");

        waits.Open(0);

        await Gate.Of(_gate).Reached.Guarded("the call arrives");
        Gate.Of(_gate).Open(1);
        Assert.Equal(1, waits.Arrivals);
    }
}
