using System.Diagnostics;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests.Upstream;

public sealed class DeactivationDefectTests(StockSilo silo, VirtualTimeSilo virtualTime) : IClassFixture<StockSilo>
{
    private static readonly DeactivationReason s_reason = new(
        DeactivationReasonCode.ApplicationRequested, "The reproduction wants it.");

    [Fact]
    public async Task Deactivation_ACallRuns_TheGrainHearsOfItOnlyAfterwards()
    {
        var grain = silo.Grains.GetGrain<IUpstreamGrain>(Guid.NewGuid());
        await grain.HoldFor(TimeSpan.Zero);
        var call = grain.HoldFor(TimeSpan.FromSeconds(1));
        await grain.HoldFor(TimeSpan.Zero);

        var activation = silo.Activation(grain);
        activation.Deactivate(s_reason, CancellationToken.None);
        await activation.Deactivated;
        await call;

        Defect.ShowsAgain(
            UpstreamGrain.Log[grain.GetGrainId()].SequenceEqual(
                ["a call has ended", "a call has ended", "a call has ended", "OnDeactivateAsync"]),
            "A running call cannot hear of deactivation");
    }

    [Fact]
    public async Task Deactivation_AGrainTimerTicks_ItsTokenIsNotCancelled()
    {
        var grain = silo.Grains.GetGrain<IUpstreamGrain>(Guid.NewGuid());
        await grain.BeginTick(TimeSpan.FromSeconds(1));

        var activation = silo.Activation(grain);
        activation.Deactivate(s_reason, CancellationToken.None);
        await activation.Deactivated;

        Defect.ShowsAgain(
            UpstreamGrain.Log[grain.GetGrainId()].SequenceEqual(["the tick has taken its time", "OnDeactivateAsync"]),
            "A tick's token does not end with the activation");
    }

    [Fact]
    public async Task Deactivation_ACallCallsItsOwnGrain_WaitsForItselfUntilThatTimesOut()
    {
        var grain = silo.Grains.GetGrain<IUpstreamGrain>(Guid.NewGuid());
        await grain.CallItself(after: TimeSpan.Zero);
        var call = grain.CallItself(after: TimeSpan.FromSeconds(0.5));
        await grain.HoldFor(TimeSpan.Zero);

        var activation = silo.Activation(grain);
        activation.Deactivate(s_reason, CancellationToken.None);
        var error = await Record.ExceptionAsync(() => call);
        await activation.Deactivated;

        Defect.ShowsAgain(error is TimeoutException, "A grain that deactivates waits for itself");
    }

    [Fact]
    public async Task Deactivation_ATransactionOfTheGrainAloneRuns_ItIsInDoubt()
    {
        var account = silo.Grains.GetGrain<ISlowAccountGrain>(Guid.NewGuid());
        await account.AddSlowly(1, TimeSpan.Zero);
        var start = Stopwatch.GetTimestamp();
        var transaction = account.AddSlowly(1, TimeSpan.FromSeconds(0.5));
        await Task.Delay(TimeSpan.FromSeconds(0.2), TestContext.Current.CancellationToken);

        var activation = silo.Activation(account);
        activation.Deactivate(s_reason, CancellationToken.None);
        var error = await Record.ExceptionAsync(() => transaction);
        await activation.Deactivated;

        TestContext.Current.TestOutputHelper?.WriteLine(
            $"{Stopwatch.GetElapsedTime(start).TotalSeconds:f1} s: {error}");
        Defect.ShowsAgain(error is OrleansTransactionInDoubtException, "A grain that deactivates waits for itself");
    }

    [Fact]
    public async Task DelayDeactivation_GrainsHaveAClockOfTheirOwn_IsComparedWithAnother()
    {
        // This is not the stock silo: TimeProviderNames.Grains is a clock that a test advances. This library is not
        // used.
        var management = virtualTime.Silo.Grains().GetGrain<IManagementGrain>(0);
        var (delayed, other) = (virtualTime.Silo.NewGrain(), virtualTime.Silo.NewGrain());
        var activation = await delayed.Get(static self =>
        {
            self.DelayDeactivation(TimeSpan.FromHours(1));
            return self.GrainContext;
        });
        var otherActivation = await other.Get(static self => self.GrainContext);

        // Collection is repeated, because an activation may still be busy with its call the first time.
        var collecting = virtualTime.Silo.CollectIdleUntil(otherActivation.Deactivated);

        virtualTime.Clock.Advance(TimeSpan.FromHours(2));
        await management.ForceActivationCollection(TimeSpan.Zero);
        await otherActivation.Deactivated.Guarded("an idle activation is collected");
        await collecting;

        Defect.ShowsAgain(!activation.Deactivated.IsCompleted, "DelayDeactivation mixes two clocks");
        activation.Deactivate(s_reason, CancellationToken.None);
        await activation.Deactivated;
    }
}
