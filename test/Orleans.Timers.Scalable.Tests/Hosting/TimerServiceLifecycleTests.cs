namespace Orleans.Timers.Scalable.Tests;

public sealed class TimerServiceLifecycleTests(SilosThatStop silos) : IClassFixture<SilosThatStop>
{
    [Fact]
    public void Stop_ThousandsOfDelaysPending_AllAreCancelled()
    {
        Assert.Equal(SilosThatStop.WaitingGrains * SilosThatStop.DelaysInEachGrain, silos.Ends.Count);
        Assert.All(silos.Ends, static end => Assert.IsAssignableFrom<OperationCanceledException>(end));
    }

    [Fact]
    public void Stop_ThousandsOfDelaysPending_IsNotHeldUp() =>
        // Orleans would give up after 30 seconds. The rest of the silo's stop takes a fraction of a second.
        Assert.InRange(silos.StopTook, TimeSpan.Zero, HangGuard.Limit);

    [Fact]
    public async Task Stop_GrainRetriesForEver_EndsTheLoop() =>
        Assert.IsAssignableFrom<OperationCanceledException>(await silos.RetryLoop.Task.Guarded("the loop has ended"));

    // Seen to fail while only the deactivation cancelled the token: 18,000 to 70,000 delays began and ended.
    [Fact]
    public void Stop_GrainsWaitUntilTheyDeactivate_TheirTokensEndThem() =>
        Assert.InRange(silos.CancelledInLoops, SilosThatStop.LoopingGrains, SilosThatStop.LoopingGrains * 100);

    [Fact]
    public async Task Stop_GrainDelaysIgnoringDeactivation_WaitsForIt()
    {
        Assert.True(silos.Leave.Task.IsCompleted, "The silo has stopped without waiting for the grain.");
        var (took, wasHurried) = await silos.Leave.Task;
        Assert.InRange(took, SilosThatStop.Farewell, TimeSpan.MaxValue);
        Assert.False(wasHurried);
    }

    // Seen to fail when such a delay is cancelled at once: a loop that catches everything is a hot one.
    [Fact]
    public async Task Stop_GrainBeginsADelayWhileItDeactivates_TakesItsTimeAndIsCancelled()
    {
        var (error, took) = await silos.LateDelay.Task.Guarded("the grain has deactivated");
        Assert.IsAssignableFrom<OperationCanceledException>(error);
        Assert.InRange(took, SilosThatStop.LateDueTime, HangGuard.Limit);
    }

    // Seen to fail when the service stops before the grains are deactivated, as it did. Task.Delay is the control.
    [Fact]
    public async Task Stop_DelaysOfTheServiceItself_GoOnUntilAllOfTheHostHasStopped()
    {
        Assert.Equal((false, false), await silos.EndedWithTheGrains.Task.Guarded("the grain has deactivated"));
        Assert.False(await silos.ServiceDelay.Guarded("the host ends the delay of the service"));
    }

    [Fact]
    public void Stop_OfAClient_EndsItsDelays() =>
        Assert.IsAssignableFrom<OperationCanceledException>(silos.ClientDelay);

    [Fact]
    public void Dispose_DelayIgnoringDeactivationIsPending_IsCancelled() =>
        Assert.IsAssignableFrom<OperationCanceledException>(silos.IgnoringDelayAcrossDisposal);

    [Fact]
    public async Task Dispose_GrainCodeThatOutlivesItsSilo_GetsNoDelay()
    {
        var (delays, dueTime) = (silos.DisposedDelays, TimeSpan.FromMilliseconds(1));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await delays.Delay(dueTime));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await delays.DelayIgnoringDeactivation(dueTime));
    }
}
