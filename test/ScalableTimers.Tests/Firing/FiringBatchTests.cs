using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Firing;

/// <summary>Real pool threads. The tests wait for events.</summary>
public class FiringBatchTests
{
    private readonly FiringDispatcher _dispatcher = new(
        new TickClock(new HandClock(), TimeSpan.FromMilliseconds(10)), NullLogger.Instance);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(FiringBatch.Capacity)]
    public async Task Queue_AnyNumber_FiresEachOnce(int count)
    {
        var fired = new int[count];
        var batch = _dispatcher.Rent();
        for (var i = 0; i < count; i++)
        {
            batch.Add(new FiringItem(index => Interlocked.Increment(ref fired[(int)index!]), i));
        }

        Assert.Equal(count, batch.Count);
        batch.Queue(now: 0);
        await Wait.For(_dispatcher.WaitForOthersAsync(), "the batch");

        Assert.All(fired, static times => Assert.Equal(1, times));
        Assert.Equal(count, _dispatcher.Fired);
    }

    // Calibrated by removing the hand-off (AddWorker in Execute): the wait for the others never ends.
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(60)]
    [InlineData(126)]
    public async Task Queue_OneCallbackBlocks_TheOthersFireMeanwhile(int blocked)
    {
        using var release = new ManualResetEventSlim();
        using var others = new CountdownEvent(FiringBatch.Capacity - 1);
        var batch = _dispatcher.Rent();
        for (var i = 0; i < FiringBatch.Capacity; i++)
        {
            batch.Add(i == blocked
                ? new FiringItem(_ => Wait.For(release, "release"), null)
                : new FiringItem(_ => others.Signal(), null));
        }

        batch.Queue(now: 0);
        Wait.For(others, "the others of the batch fired");

        var waiting = _dispatcher.WaitForOthersAsync();
        Assert.False(waiting.IsCompleted);
        release.Set();
        await Wait.For(waiting, "the batch");
    }

    [Fact]
    public async Task Queue_SeveralCallbacksWaitForALaterOne_NoneHoldsItUp()
    {
        // Each callback occupies a pool thread until the last one of the batch has fired.
        using var last = new ManualResetEventSlim();
        var batch = _dispatcher.Rent();
        for (var i = 0; i < 4; i++)
        {
            batch.Add(new FiringItem(_ => Wait.For(last, "the last of the batch"), null));
        }

        batch.Add(new FiringItem(_ => last.Set(), null));

        batch.Queue(now: 0);

        await Wait.For(_dispatcher.WaitForOthersAsync(), "the batch");
        Assert.Equal(5, _dispatcher.Fired);
    }

    [Fact]
    public async Task Queue_CallbacksThrow_TheOthersFire()
    {
        var fired = 0;
        var batch = _dispatcher.Rent();
        for (var i = 0; i < FiringBatch.Capacity; i++)
        {
            batch.Add(i % 2 == 0
                ? new FiringItem(static _ => throw new InvalidOperationException("Thrown by the callback."), null)
                : new FiringItem(_ => Interlocked.Increment(ref fired), null));
        }

        batch.Queue(now: 0);
        await Wait.For(_dispatcher.WaitForOthersAsync(), "the batch");

        Assert.Equal(FiringBatch.Capacity / 2, fired);
        Assert.Equal((128L, 64L), (_dispatcher.Fired, _dispatcher.Failed));
    }

    [Fact]
    public async Task Queue_CallbacksSetAsyncLocalsAndContexts_NoneReachesAnother()
    {
        var local = new AsyncLocal<string?>();
        var leaks = 0;
        var batch = _dispatcher.Rent();
        for (var i = 0; i < FiringBatch.Capacity; i++)
        {
            batch.Add(new FiringItem(
                _ =>
                {
                    if (local.Value is not null || SynchronizationContext.Current is not null)
                    {
                        Interlocked.Increment(ref leaks);
                    }

                    local.Value = "leaked";
                    SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
                },
                null));
        }

        batch.Queue(now: 0);
        await Wait.For(_dispatcher.WaitForOthersAsync(), "the batch");

        Assert.Equal(0, leaks);
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

    [Fact]
    public async Task Queue_ManyBatchesAtOnce_AllFireAndAreReturned()
    {
        var fired = 0;
        for (var i = 0; i < 500; i++)
        {
            var batch = _dispatcher.Rent();
            for (var j = 0; j < 20; j++)
            {
                batch.Add(new FiringItem(_ => Interlocked.Increment(ref fired), null));
            }

            batch.Queue(now: 0);
        }

        await Wait.For(_dispatcher.WaitForOthersAsync(), "the batches");

        Assert.Equal(10_000, fired);
        Assert.Equal(10_000, _dispatcher.Fired);
    }

    [Fact]
    public void RunHere_OfAFullBatch_FiresEachOnceInOrder()
    {
        var fired = new List<int>();
        var batch = NewBatch(FiringBatch.Capacity, number => new FiringItem(_ => fired.Add(number), null));

        batch.RunHere();

        Assert.Equal(Enumerable.Range(0, FiringBatch.Capacity), fired);
        Assert.True(_dispatcher.WaitForOthersAsync().IsCompleted);
        Assert.Equal(0, _dispatcher.Rent().Count);
    }

    // Calibrated by not handing the batch on in FiringDispatcher.WaitForOthersAsync: the wait ends before the other
    // callbacks have begun.
    [Fact]
    public void WaitForOthers_InsideACallbackThatRunsHere_WaitsForTheRestOfItsBatch()
    {
        var (fired, firedWhenOver) = (0, -1);
        var batch = NewBatch(50, number => number == 0
            ? new FiringItem(
                _ =>
                {
                    Assert.True(_dispatcher.WaitForOthersAsync().Wait(TimeSpan.FromSeconds(30)));
                    firedWhenOver = Volatile.Read(ref fired);
                },
                null)
            : new FiringItem(_ => Interlocked.Increment(ref fired), null));

        batch.RunHere();

        Assert.Equal((49, 0L), (firedWhenOver, _dispatcher.Failed));
    }

    private FiringBatch NewBatch(int count, Func<int, FiringItem> item)
    {
        var batch = _dispatcher.Rent();
        for (var i = 0; i < count; i++)
        {
            batch.Add(item(i));
        }

        return batch;
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
            batch.Queue(now: 0);
            return new WeakReference(state);
        });
        await Wait.For(_dispatcher.WaitForOthersAsync(), "the batch");
        return weak;
    }
}
