using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Bounded calls in two silos and a client that have other filters: a filter that repeats calls, registered before
/// ours, and a filter that waits before it calls.
/// </summary>
public sealed class CallTimeoutRetryTests(CallTimeoutRetryTests.Silos silos)
    : IClassFixture<CallTimeoutRetryTests.Silos>
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(100);

    private readonly Guid _gate = Guid.NewGuid();

    // When our filter was inside the other one, the second attempt did not pass it, and waited until Orleans gave up.
    [Fact]
    public async Task Timeout_FilterCallsAgain_TheTimeoutBoundsAllAttempts()
    {
        var timers = silos.Client.ServiceProvider.GetRequiredService<TimerService>();
        var before = timers.GetCallTimeouts();
        using var scope = CallTimeout.Begin(s_timeout);

        await Assert.ThrowsAsync<TimeoutException>(() => NewGrain().Wait(_gate).Guarded("the call times out"));

        Assert.Equal(before.TimedOut + 1, timers.GetCallTimeouts().TimedOut);
        Gate.Of(_gate).Open(1);
    }

    // When our filter was inside the other one, the second attempt had a token that nobody could cancel any more.
    [Fact]
    public async Task Cancellation_FilterCallsAgain_ReachesTheSecondAttempt()
    {
        using var users = new CancellationTokenSource();
        using var scope = CallTimeout.Begin(HangGuard.Limit);
        var second = Guid.NewGuid();
        Gate.Of(_gate).Fail(new InvalidTimeZoneException(second.ToString()));
        var call = NewGrain().WaitCancellable(_gate, users.Token);
        await Gate.Of(second).Reached.Guarded("the second attempt arrives");

        await users.CancelAsync();

        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => call.Guarded("the call is cancelled"));
        Assert.Equal(users.Token, error.CancellationToken);
        await Gate.Of(second).AllCancelled.Guarded("the callee sees its token cancelled");
    }

    // When the call continued with the context that the timeout had left, the filter entered itself, and the call was
    // not made.
    [Fact]
    public async Task Timeout_FilterWaitsBeforeItCalls_IsEnteredOnceAndGoesOn()
    {
        var (waits, entered) = (new Gate(), new StrongBox<int>());
        (WaitingFilter.Waits.Value, WaitingFilter.Entered.Value) = (waits, entered);
        using var scope = CallTimeout.Begin(s_timeout);
        await Assert.ThrowsAsync<TimeoutException>(() => NewGrain().Wait(_gate).Guarded("the call times out"));
        await waits.Reached.Guarded("the filter waits");

        waits.Open(0);

        await Gate.Of(_gate).Reached.Guarded("the call arrives");
        Gate.Of(_gate).Open(1);
        Assert.Equal(1, entered.Value);
    }

    // When the call continued with the context that the timeout had left, the filter entered itself for each attempt.
    [Fact]
    public async Task Timeout_FilterCallsAgainAfterwards_MakesOneMoreAttempt()
    {
        var (second, entered) = (Guid.NewGuid(), new StrongBox<int>());
        RetryingFilter.Entered.Value = entered;
        using var scope = CallTimeout.Begin(s_timeout);
        await Assert.ThrowsAsync<TimeoutException>(() => NewGrain().Wait(_gate).Guarded("the call times out"));

        Gate.Of(_gate).Fail(new InvalidTimeZoneException(second.ToString()));

        await Gate.Of(second).Reached.Guarded("the second attempt arrives");
        Gate.Of(second).Open(1);
        Assert.Equal(1, entered.Value);
    }

    private ITimedGrain NewGrain() => silos.Client.GetGrain<ITimedGrain>(Guid.NewGuid());

    public sealed class Silos : IAsyncLifetime
    {
        private readonly InProcessTestCluster _cluster;

        public Silos()
        {
            var builder = new InProcessTestClusterBuilder(initialSilosCount: 2);
            builder.Options.ConfigureFileLogging = false;
            builder.ConfigureSilo(
                static (_, silo) =>
                    silo.AddOutgoingGrainCallFilter(RetryingFilter.Invoke)
                        .AddCallTimeouts()
                        .AddOutgoingGrainCallFilter(WaitingFilter.Invoke));
            builder.ConfigureClient(
                static client =>
                    client.AddOutgoingGrainCallFilter(RetryingFilter.Invoke)
                        .AddCallTimeouts()
                        .AddOutgoingGrainCallFilter(WaitingFilter.Invoke));
            _cluster = builder.Build();
        }

        internal IClusterClient Client => _cluster.Client;

        public async ValueTask InitializeAsync() => await _cluster.DeployAsync();

        public async ValueTask DisposeAsync() => await _cluster.DisposeAsync();
    }
}
