using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Each test creates its own silos.</summary>
public sealed class TokensOfASiloTests
{
    private static readonly DeactivationReason s_shutDown = new(DeactivationReasonCode.ShuttingDown, "by the test");

    // Orleans alone waits for the calls, and stops after 30 seconds.
    [Fact]
    public async Task Stop_CallsPassTheirTokensOn_SiloStopsAndTheCallsAreRepeatedOnTheOther()
    {
        const int Calls = 50;
        await using var cluster = await Clusters.Deploy(silos: 2, static (_, silo) => silo.AddCallCancellation());
        var caller = cluster.Silo(0).Grains();
        var waits = Enumerable.Range(0, Calls).Select(static _ => new TokenWait()).ToList();
        var calls = new List<Task<int>>();
        foreach (var wait in waits)
        {
            var key = Guid.NewGuid();
            await cluster.Silo(1).Grains().GetGrain<ITokenGrain>(key).Run(Nothing, CancellationToken.None);
            calls.Add(Attempts(caller.GetGrain<ITokenGrain>(key), wait));
            await wait.Begun.Guarded("the call begins");
        }

        var start = Stopwatch.GetTimestamp();
        await cluster.Silo(1).StopSiloAsync(stopGracefully: true).Guarded("the silo stops");
        TestContext.Current.SendDiagnosticMessage($"stopped in {Stopwatch.GetElapsedTime(start).TotalSeconds:f1} s");
        foreach (var wait in waits)
        {
            wait.Release();
        }

        Assert.All(await Task.WhenAll(calls).Guarded("the calls end"), static attempts => Assert.True(attempts > 1));
    }

    [Theory]
    [InlineData(nameof(OrleansTimerOptions.CancelTokensAtDeadline))]
    [InlineData(nameof(OrleansTimerOptions.CancelTokensAtDeactivation))]
    [InlineData(nameof(OrleansTimerOptions.Enabled))]
    public async Task Option_IsFalse_TokenIsNotCancelledForThat(string option)
    {
        await using var cluster = await Clusters.Deploy(silos: 1, (_, silo) =>
        {
            silo.AddCallCancellation().Configure<OrleansTimerOptions>(
                options => typeof(OrleansTimerOptions).GetProperty(option)!.SetValue(options, false));
        });
        var grain = cluster.Client.GetGrain<ITokenGrain>(Guid.NewGuid());
        var wait = new TokenWait();
        var call = grain.RunForASecond(wait.Script, CancellationToken.None);
        await wait.Begun.Guarded("the call begins");
        var activation = wait.Grain!.GrainContext;
        if (option == nameof(OrleansTimerOptions.CancelTokensAtDeactivation))
        {
            activation.Deactivate(s_shutDown, CancellationToken.None);
        }

        // Otherwise it would be a SiloUnavailableException.
        await Assert.ThrowsAsync<TimeoutException>(() => call.Guarded("the call ends"));

        switch (option)
        {
            case nameof(OrleansTimerOptions.CancelTokensAtDeadline):
                Assert.False(wait.Cancelled.IsCompleted);
                activation.Deactivate(s_shutDown, CancellationToken.None);
                break;
            case nameof(OrleansTimerOptions.Enabled):
                activation.Deactivate(s_shutDown, CancellationToken.None);
                wait.Release();
                await activation.Deactivated.Guarded("the activation deactivates");
                Assert.False(wait.Cancelled.IsCompleted);
                return;
        }

        await wait.Cancelled.Guarded("the token is cancelled");
    }

    [Fact]
    public async Task Token_SiloHasAFakeClock_FollowsTheBudgetOnThatClockOnly()
    {
        var clock = new ManualTimeProvider();
        await using var cluster = await Clusters.Deploy(
            silos: 1,
            (_, silo) =>
            {
                silo.Services.AddKeyedSingleton<TimeProvider>(TimeProviderNames.Grains, clock);
                silo.AddCallCancellation();
            },
            static client => client.AddCallCancellation());
        var unbound = new TokenWait();
        var call = cluster.Client.GetGrain<ITokenGrain>(Guid.NewGuid()).Run(unbound.Script, CancellationToken.None);
        var bound = new TokenWait();
        Task boundCall;
        using (CallDeadline.Begin(TimeSpan.FromMinutes(1)))
        {
            boundCall = cluster.Client.GetGrain<ITokenGrain>(Guid.NewGuid()).Run(bound.Script, CancellationToken.None);
        }

        await Task.WhenAll(bound.Begun, unbound.Begun).Guarded("the calls begin");
        clock.Advance(TimeSpan.FromMinutes(1));

        await Assert.ThrowsAsync<TimeoutException>(() => boundCall.Guarded("the call with a budget ends"));
        Assert.False(unbound.Cancelled.IsCompleted);
        unbound.Release();
        await call.Guarded("the other call ends");
    }

    private static Guid Nothing { get; } = TokenGrainBase.Leave(static (_, _) => Task.CompletedTask);

    private static async Task<int> Attempts(ITokenGrain grain, TokenWait wait)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                await grain.Run(wait.Script, CancellationToken.None);
                return attempt;
            }
            catch (SiloUnavailableException)
            {
                await Task.Delay(50);
            }
        }
    }
}
