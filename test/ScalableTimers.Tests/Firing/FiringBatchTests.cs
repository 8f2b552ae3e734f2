using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Firing;

/// <summary>On real pool threads. The tests wait for events.</summary>
public class FiringBatchTests
{
    private readonly FiringDispatcher _dispatcher = new(
        new TickClock(new HandClock(), TimeSpan.FromMilliseconds(10)), NullLogger.Instance, CallbackExceptions.Log);

    [Fact]
    public async Task Start_SeveralCallbacksWaitForALaterOne_NoneHoldsItUp()
    {
        // Each callback occupies a pool thread until the last one of the batch has fired.
        using var last = new ManualResetEventSlim();
        var batch = _dispatcher.Rent();
        for (var i = 0; i < 4; i++)
        {
            batch.Add(new FiringItem(_ => Wait.For(last, "the last of the batch"), null));
        }

        batch.Add(new FiringItem(_ => last.Set(), null));

        batch.Start(now: default);

        await Wait.For(_dispatcher.Workers.WaitForOthersAsync(), "the batch");
        Assert.Equal(5, _dispatcher.Fired);
    }

    [Fact]
    public async Task Return_AfterFiring_IsUsedAgainAndKeepsNothing()
    {
        var state = await FireAndForgetAsync();

        var again = _dispatcher.Rent();

        Assert.Equal(0, again.Count);
        Wait.ForCollection(state);
        GC.KeepAlive(again);
    }

    private async Task<WeakReference> FireAndForgetAsync()
    {
        var weak = Services.InAFrameOfItsOwn(() =>
        {
            var state = new object();
            var batch = _dispatcher.Rent();
            batch.Add(new FiringItem(static _ => { }, state));
            batch.Add(
                new FiringItem(static _ => throw new InvalidOperationException("Thrown by the callback."), state));
            batch.Start(now: default);
            return new WeakReference(state);
        });
        await Wait.For(_dispatcher.Workers.WaitForOthersAsync(), "the batch");
        return weak;
    }
}
