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

        Assert.Equal((count, count == FiringBatch.Capacity), (batch.Count, batch.IsFull));
        batch.Queue(now: 0);
        await Wait.For(_dispatcher.WaitForOthersAsync(), "the batch");

        Assert.All(fired, static times => Assert.Equal(1, times));
        Assert.Equal(count, _dispatcher.Fired);
    }

    // Calibrated by removing the hand-off (QueueWorker in Execute): the wait for the others never ends.
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
        var batch = BegunHere(FiringBatch.Capacity, number => new FiringItem(_ => fired.Add(number), null));

        batch.RunHere();

        Assert.Equal(Enumerable.Range(0, FiringBatch.Capacity), fired);
        Assert.True(_dispatcher.WaitForOthersAsync().IsCompleted);
        Assert.Equal(0, _dispatcher.Rent().Count);
    }

    // Calibrated by not restoring the thread.
    [Fact]
    public void RunHere_ACallbackChangesItsThread_ItIsPutBack() => Wait.ForThread(() =>
    {
        var thread = Thread.CurrentThread;
        var before = (thread.IsBackground, thread.Priority);
        var batch = BegunHere(1, _ => new FiringItem(
            _ =>
            {
                thread.IsBackground = !thread.IsBackground;
                thread.Priority = ThreadPriority.BelowNormal;
            },
            null));

        batch.RunHere();

        Assert.Equal(before, (thread.IsBackground, thread.Priority));
        Assert.Equal(0, _dispatcher.Failed);
    });

    // Calibrated by not checking for a worker in FiringBatch.HandOn: the batch is queued while it is among the free
    // ones.
    [Fact]
    public async Task HandOn_BatchHasEnded_QueuesNothing()
    {
        var batch = BegunHere(10, static _ => new FiringItem(static _ => { }, null));
        batch.RunHere();
        batch.Add(new FiringItem(static _ => Assert.Fail("Not begun."), null));

        batch.HandOn(now: 0);

        await Wait.For(_dispatcher.WaitForOthersAsync(), "nothing");
        Assert.Equal((10L, 0L), (_dispatcher.Fired, _dispatcher.Failed));
    }

    [Fact]
    public async Task HandOn_AgainAndAgainWhileItRuns_FiresEachOnce()
    {
        var fired = new int[FiringBatch.Capacity];
        FiringBatch? batch = null;
        batch = BegunHere(FiringBatch.Capacity, number => new FiringItem(
            _ =>
            {
                Interlocked.Increment(ref fired[number]);
                batch!.HandOn(now: 0);
            },
            null));

        batch.RunHere();

        await Wait.For(_dispatcher.WaitForOthersAsync(), "the batch");
        Assert.All(fired, static times => Assert.Equal(1, times));
        Assert.Equal(FiringBatch.Capacity, _dispatcher.Fired);
    }

    // Calibrated by not handing the batch on in FiringDispatcher.WaitForOthersAsync: the wait ends before the other
    // callbacks have begun.
    [Fact]
    public void WaitForOthers_InsideACallbackThatRunsHere_WaitsForTheRestOfItsBatch()
    {
        var (fired, firedWhenOver) = (0, -1);
        var batch = BegunHere(50, number => number == 0
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

    // Calibrated by checking the wait of a batch's first worker only: no item was counted, and the longest wait was
    // zero. Calibrated by counting at each worker: five items were counted.
    [Fact]
    public void Execute_TheRestWaitsForAnotherThread_IsCountedOnceAndWarnedOf()
    {
        var clock = new HandClock();
        var logger = new CollectingLogger();
        var pool = new HandPool();
        var dispatcher = new FiringDispatcher(new TickClock(clock, TimeSpan.FromMilliseconds(10)), logger)
        {
            Supply = pool,
        };
        var batch = dispatcher.Rent();
        for (var i = 0; i < 4; i++)
        {
            // Each of the first two callbacks blocks until the pool has another thread.
            batch.Add(i < 2
                ? new FiringItem(
                    _ =>
                    {
                        clock.Skip(TimeSpan.FromSeconds(1));
                        pool.RunNext();
                    },
                    null)
                : new FiringItem(static _ => { }, null));
        }

        batch.Queue(clock.Timestamp);
        while (pool.Count > 0)
        {
            pool.RunNext();
        }

        Assert.Equal(
            (4L, 3L, TimeSpan.FromSeconds(2)), (dispatcher.Fired, dispatcher.PoolWaits, dispatcher.LongestPoolWait));
        Assert.Equal(2, Assert.Single(logger.Entries).Id);
    }

    [Fact]
    public void HandOn_AgainWhileThePoolIsBusy_TheWaitBeganWithTheFirst()
    {
        var clock = new HandClock();
        var pool = new HandPool();
        var dispatcher = new FiringDispatcher(
            new TickClock(clock, TimeSpan.FromMilliseconds(10)), new CollectingLogger())
        { Supply = pool };
        var batch = dispatcher.Rent();
        batch.Add(new FiringItem(
            _ =>
            {
                // The watchdog does this while the firing thread makes progress, but slowly.
                for (var i = 0; i < 10; i++)
                {
                    batch.HandOn(clock.Timestamp);
                    clock.Skip(TimeSpan.FromMilliseconds(100));
                }

                pool.RunNext();
            },
            null));
        batch.Add(new FiringItem(static _ => { }, null));
        dispatcher.EnterWorker();
        batch.Begin(clock.Timestamp);

        batch.RunHere();

        Assert.Equal((1L, TimeSpan.FromSeconds(1)), (dispatcher.PoolWaits, dispatcher.LongestPoolWait));
    }

    // Calibrated by not catching the pool's exception in FiringBatch.TryQueueWorker, and by staying entered twice: the
    // callback waited for itself.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Queue_ThePoolRefuses_RunsHereOnce(bool queuesAllTheSame)
    {
        var pool = new HandPool { Refuses = true, QueuesAllTheSame = queuesAllTheSame };
        _dispatcher.Supply = pool;
        var fired = new List<int>();
        var waitsForItself = false;
        var batch = Filled(3, number =>
        {
            fired.Add(number);
            waitsForItself |= number == 2 && !_dispatcher.WaitForOthersAsync().IsCompleted;
        });

        _dispatcher.EnterWorker();
        batch.Queue(now: 0);
        _dispatcher.ExitWorker();

        Assert.Equal([0, 1, 2], fired);
        Assert.Equal((3L, false), (_dispatcher.Fired, waitsForItself));
        Assert.True(_dispatcher.WaitForOthersAsync().IsCompleted);
        Assert.Equal(queuesAllTheSame ? 1 : 0, pool.Count);
    }

    // Calibrated by not counting the queued workers: the first item of the batch's next life was lost, and a worker
    // left that had never entered.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Execute_OfAFormerLifeThatThePoolHadRefused_TakesNothing(bool isQueuedAgain)
    {
        var pool = new HandPool { Refuses = true, QueuesAllTheSame = true };
        _dispatcher.Supply = pool;
        var fired = new List<int>();
        _dispatcher.EnterWorker();
        Filled(2, static _ => { }).Queue(now: 0);
        pool.Refuses = false;
        var again = Filled(3, fired.Add);
        if (isQueuedAgain)
        {
            again.Queue(now: 0);
            pool.RunNext();
            Assert.Equal(3, fired.Count);
        }
        else
        {
            pool.RunNext();
            Assert.Empty(fired);
            again.Queue(now: 0);
        }

        while (pool.Count > 0)
        {
            pool.RunNext();
        }

        _dispatcher.ExitWorker();
        Assert.Equal([0, 1, 2], fired);
        Assert.True(_dispatcher.WaitForOthersAsync().IsCompleted);
        Assert.Equal((5L, again), (_dispatcher.Fired, _dispatcher.Rent()));
    }

    [Fact]
    public void Execute_ThePoolRefusesASecondWorker_GoesOnAlone()
    {
        var pool = new HandPool();
        _dispatcher.Supply = pool;
        var fired = new List<int>();
        Filled(3, fired.Add).Queue(now: 0);
        pool.Refuses = true;

        pool.RunNext();

        Assert.Equal([0, 1, 2], fired);
        Assert.True(_dispatcher.WaitForOthersAsync().IsCompleted);
    }

    [Fact]
    public void HandOn_ThePoolRefuses_RunsTheRestHere()
    {
        _dispatcher.Supply = new HandPool { Refuses = true };
        var fired = new List<int>();
        FiringBatch? batch = null;
        batch = BegunHere(3, number => new FiringItem(
            _ =>
            {
                if (number == 0)
                {
                    Wait.ForThread(() => batch!.HandOn(now: 0));
                }

                fired.Add(number);
            },
            null));

        batch.RunHere();

        Assert.Equal([1, 2, 0], fired);
        Assert.True(_dispatcher.WaitForOthersAsync().IsCompleted);
    }

    private FiringBatch Filled(int count, Action<int> fire)
    {
        var batch = _dispatcher.Rent();
        for (var i = 0; i < count; i++)
        {
            var number = i;
            batch.Add(new FiringItem(_ => fire(number), null));
        }

        return batch;
    }

    private FiringBatch BegunHere(int count, Func<int, FiringItem> item)
    {
        var batch = _dispatcher.Rent();
        for (var i = 0; i < count; i++)
        {
            batch.Add(item(i));
        }

        _dispatcher.EnterWorker();
        batch.Begin(now: 0);
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
