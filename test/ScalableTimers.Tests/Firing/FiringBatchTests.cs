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

    // Of .NET's timers that are due together the short ones do. So a short delay ends before the timeout of its token,
    // which is older. Another thread may run the older one at the same time, but seldom comes so soon. Seen to fail in
    // 50 of 50.
    [Fact]
    public void Start_TwoCallbacks_MostlyRunsTheNewestFirst()
    {
        const int Batches = 50;
        var olderFirst = 0;
        for (var i = 0; i < Batches; i++)
        {
            var hasNewerRun = false;
            var batch = _dispatcher.Rent();
            batch.Add(new FiringItem(_ => olderFirst += Volatile.Read(ref hasNewerRun) ? 0 : 1, null));
            batch.Add(new FiringItem(_ => Volatile.Write(ref hasNewerRun, true), null));

            batch.Start(now: default);
            Wait.Until(() => _dispatcher.Fired == 2 * (i + 1), "the batch");
        }

        Assert.InRange(olderFirst, 0, Batches / 2);
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
