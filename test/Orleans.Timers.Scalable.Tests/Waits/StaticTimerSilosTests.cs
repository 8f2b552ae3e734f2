using Microsoft.Extensions.Logging.Testing;
using Orleans.Timers.Scalable.Transactions.Waits;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The static timers are served once for all users.</summary>
[Collection(typeof(Alone))]
public sealed class StaticTimerSilosTests
{
    [Fact]
    public async Task Leave_OthersRemain_TimersAreStillServed()
    {
        await using var run = new StaticTimersRun();
        var other = new object();
        run.Join(other);
        run.Join(other);

        await run.Leave().Guarded("one of two leaves");
        Assert.Same(run.Server, run.Current);
        await run.UntilTakenOver();
        Assert.True(await StaticDelays.EndsOnTime(TimeSpan.FromMilliseconds(20)).Guarded("a delay ends"));
        await run.Leave().Guarded("one who has left leaves again");
        Assert.Same(run.Server, run.Current);

        await run.Leave(other).Guarded("the last one leaves");
        Assert.Null(run.Current);
        Assert.True(run.Server.Ended.IsCompletedSuccessfully);
    }

    [Fact]
    public async Task Join_RightAfterTheLastLeft_RestartsOnceTimersAreReturned()
    {
        await using var run = new StaticTimersRun();
        var pending = StaticDelays.Delay(TimeSpan.FromMilliseconds(300));
        await run.UntilServed(1).Guarded("the delay is served");

        var leaving = run.Leave();
        run.Join(run);

        await leaving.Guarded("the first server gives its timer back");
        Assert.NotSame(run.Server, run.Current);
        Assert.True(await pending.Guarded("the delay ends"));
    }

    [Fact]
    public async Task Join_TheFirstCouldNotBegin_OrleansGoesOnAndTheSecondTries()
    {
        var attempts = 0;
        var process = new StaticTimerSilos(() => attempts++ == 0
            ? throw new MissingMemberException("not yet")
            : StaticTimersRun.Read());
        var log = new FakeLogger();
        process.Join(this, log);
        Assert.Null(process.Current);
        Assert.Contains("not yet", Assert.Single(log.Collector.GetSnapshot()).Message, StringComparison.Ordinal);
        Assert.True(await StaticDelays.Delay(TimeSpan.FromMilliseconds(1)).Guarded("Orleans serves its delays"));

        process.Join(log, log);

        Assert.NotNull(process.Current);
        await process.Leave(this);
        await process.Leave(log).Guarded("Orleans gets its timers back");
    }
}
