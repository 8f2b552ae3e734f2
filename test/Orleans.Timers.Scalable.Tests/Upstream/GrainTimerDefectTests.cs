namespace Orleans.Timers.Scalable.Tests.Upstream;

public sealed class GrainTimerDefectTests(StockSilo silo) : IClassFixture<StockSilo>
{
    [Fact]
    public async Task Change_ATickWaitsForItsTurn_TheTimerDoesNotTickAgain()
    {
        var grain = silo.Grains.GetGrain<IChangedTimerGrain>(Guid.NewGuid());
        await grain.ChangeATimerWhoseTickWaits(TimeSpan.FromMilliseconds(50));
        await Task.Delay(TimeSpan.FromSeconds(2), TestContext.Current.CancellationToken);

        Defect.ShowsAgain(await grain.CountTicks() == 1, "A change of a timer is lost while its tick waits");
    }
}
