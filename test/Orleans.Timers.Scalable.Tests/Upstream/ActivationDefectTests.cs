namespace Orleans.Timers.Scalable.Tests.Upstream;

public sealed class ActivationDefectTests(StockSilo silo) : IClassFixture<StockSilo>
{
    [Fact]
    public async Task FirstRequest_RunsUnderTheLockOfItsActivation()
    {
        var grains = Enumerable.Range(0, 8).Select(_ => silo.Grains.GetGrain<IFirstRequestGrain>(Guid.NewGuid()));
        var reached = await Task.WhenAll(grains.Select(static grain => grain.CanBeReached()));

        Defect.ShowsAgain(reached.Contains(false), "An activation's first request runs under its lock");
    }

    [Fact]
    public async Task SecondRequest_DoesNot()
    {
        var grain = silo.Grains.GetGrain<IFirstRequestGrain>(Guid.NewGuid());
        await grain.Ping();

        Assert.True(await grain.CanBeReached());
    }
}
