namespace Orleans.Timers.Scalable.Tests.Upstream;

public sealed class DeactivationDefectTests(StockSilo silo, VirtualTimeSilo virtualTime) : IClassFixture<StockSilo>
{
    private static readonly DeactivationReason s_reason = new(DeactivationReasonCode.ApplicationRequested, "The reproduction wants it.");

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
            UpstreamGrain.Log[grain.GetGrainId()].SequenceEqual(["a call has ended", "a call has ended", "a call has ended", "OnDeactivateAsync"]),
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
    public async Task DelayDeactivation_GrainsHaveAClockOfTheirOwn_IsComparedWithAnother()
    {
        // Not of the stock silo: TimeProviderNames.Grains is a clock that a test advances. This library has no part in it.
        var management = virtualTime.Silo.Grains().GetGrain<IManagementGrain>(0);
        var (delayed, other) = (virtualTime.Silo.NewGrain(), virtualTime.Silo.NewGrain());
        var activation = await delayed.Get(static self =>
        {
            self.DelayDeactivation(TimeSpan.FromHours(1));
            return self.GrainContext;
        });
        var otherActivation = await other.Get(static self => self.GrainContext);

        virtualTime.Clock.Advance(TimeSpan.FromHours(2));
        await management.ForceActivationCollection(TimeSpan.Zero);
        await otherActivation.Deactivated.Guarded("an idle activation is collected");

        Defect.ShowsAgain(!activation.Deactivated.IsCompleted, "DelayDeactivation mixes two clocks");
        activation.Deactivate(s_reason, CancellationToken.None);
        await activation.Deactivated;
    }
}
