using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Driving;
using ScalableTimers.Firing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Driving;

/// <summary>Real threads, and real pauses of some milliseconds between two looks. The tests wait for events.</summary>
public sealed class FiringWatchdogTests : IDisposable
{
    private readonly TickClock _clock = new(new HandClock(), TimeSpan.FromMilliseconds(1));
    private readonly FiringDispatcher _dispatcher;
    private readonly FiringWatchdog _watch;

    public FiringWatchdogTests()
    {
        _dispatcher = new FiringDispatcher(_clock, NullLogger.Instance);
        _watch = new FiringWatchdog(_clock);
    }

    public void Dispose() => _watch.Dispose();

    [Fact]
    public void TryBegin_NobodyWatches_IsRefused()
    {
        var batch = Begun(new FiringItem(static _ => { }, null));

        Assert.False(_watch.TryBegin(batch));
    }

    // Calibrated by not catching the exception in FiringWatchdog.IsWokenWithin. On a thread of the driver it would end
    // the process.
    [Fact]
    public void UntilTakeOver_SomebodyInterruptsTheThread_WatchesOn()
    {
        bool? leads = null;
        var thread = new TestThread(() =>
        {
            Thread.CurrentThread.Interrupt();
            leads = _watch.UntilTakeOver();
        });
        thread.Start();
        Wait.Until(() => _watch.IsWatched, "somebody who watches");

        _watch.Dispose();
        thread.End();

        Assert.False(leads);
    }

    // Calibrated by not handing the batch on in FiringWatchdog.TryTakeOver: the other callbacks wait until the stuck
    // one gives up, which counts as failed.
    [Fact]
    public async Task UntilTakeOver_FiringThreadIsStuck_ThePoolTakesTheRestAndTheWatchdogTakesOver()
    {
        using var release = new ManualResetEventSlim();
        using var others = new CountdownEvent(20);
        var watchdog = new Watchdog(_watch);
        var batch = Begun(
            [
                new FiringItem(_ => Wait.For(release, "release"), null),
                .. Enumerable.Repeat(new FiringItem(_ => others.Signal(), null), 20),
            ]);
        var leads = true;
        var firingThread = new TestThread(() => leads = Run(batch));
        firingThread.Start();

        Wait.For(others, "the others of the batch");
        Assert.True(await Wait.For(watchdog.Leads, "the watchdog"));
        Assert.False(_watch.TryBegin(Begun(new FiringItem(static _ => { }, null))), "Begun while nobody watches.");
        release.Set();
        firingThread.End();

        Assert.False(leads);
        await Wait.For(_dispatcher.WaitForOthersAsync(), "the pool to have counted");
        Assert.Equal((21L, 0L), (_dispatcher.Fired, _dispatcher.Failed));
    }

    // Calibrated by comparing only the number of the batch and not its progress: the thread is replaced in every round.
    // Calibrated by not handing on a batch that makes progress: the pool fires nothing in any round.
    [Fact]
    public async Task UntilTakeOver_FiringThreadGetsOnButSlowly_ItDrivesOnAndThePoolHelps()
    {
        // The batch lasts for many looks of the watchdog, but none of its callbacks does. The operating system may
        // suspend this thread within a callback, or the watchdog between two looks. On a busy machine it mostly does,
        // but not in every round, and more rarely the longer the looks are apart.
        var isAsExpected = false;
        var givingUp = Task.Delay(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
        for (var round = 0; !isAsExpected && !givingUp.IsCompleted; round++)
        {
            var milliseconds = 1 + (round % 10);
            using var watch = new FiringWatchdog(
                new TickClock(new HandClock(), TimeSpan.FromMilliseconds(milliseconds)));
            _ = new Watchdog(watch);
            var (test, elsewhere) = (Environment.CurrentManagedThreadId, 0);
            var item = new FiringItem(
                _ =>
                {
                    Thread.SpinWait(5_000 * milliseconds);
                    Interlocked.Add(ref elsewhere, Environment.CurrentManagedThreadId == test ? 0 : 1);
                },
                null);
            var leads = Run(Begun([.. Enumerable.Repeat(item, FiringBatch.Capacity)]), watch);
            await Wait.For(_dispatcher.WaitForOthersAsync(), "the batch");
            isAsExpected = leads && elsewhere > 0;
        }

        Assert.True(isAsExpected);
    }

    [Fact]
    public async Task TryEnd_ReplacedInTheMeantime_TheReplacedThreadCanWatchAndTakeOverInTurn()
    {
        var first = new Watchdog(_watch);
        RunUntil(first.Leads);
        var second = new Watchdog(_watch);
        RunUntil(second.Leads);

        Assert.True(await first.Leads);
        Assert.True(await second.Leads);
    }

    // Calibrated by not handing the batch on when the watch ends: the other callbacks never fire.
    [Fact]
    public async Task Dispose_FiringThreadIsInsideACallback_ThePoolTakesTheRest()
    {
        using var others = new CountdownEvent(20);
        var watchdog = new Watchdog(_watch);
        var batch = Begun(
        [
            new FiringItem(
                _ =>
                {
                    _watch.Dispose();
                    Wait.For(others, "the others of the batch");
                },
                null),
            .. Enumerable.Repeat(new FiringItem(_ => others.Signal(), null), 20),
        ]);

        Assert.False(Run(batch));

        _ = await Wait.For(watchdog.Leads, "the watchdog");
        await Wait.For(_dispatcher.WaitForOthersAsync(), "the pool to have counted");
        Assert.Equal((21L, 0L), (_dispatcher.Fired, _dispatcher.Failed));
    }

    // Calibrated by not waking the watchdog in FiringWatchdog.TryBegin: it continues to sleep.
    [Fact]
    public async Task UntilTakeOver_NothingRuns_SleepsUntilSomethingDoes()
    {
        var watchdog = new Watchdog(_watch);
        Wait.Until(() => (bool)Services.Field(_watch, "_isAsleep")!, "sleep");

        RunUntil(watchdog.Leads);

        Assert.True(await watchdog.Leads);
    }

    private bool Run(FiringBatch batch) => Run(batch, _watch);

    private bool Run(FiringBatch batch, FiringWatchdog watch)
    {
        _dispatcher.EnterWorker();
        Assert.True(watch.TryBegin(batch));
        batch.RunHere();
        return watch.TryEnd();
    }

    /// <summary>Runs a batch with one callback that waits.</summary>
    private void RunUntil(Task isOver)
    {
        // The wait blocks no thread of the pool.
        var batch = Begun(new FiringItem(_ => Assert.True(isOver.Wait(TimeSpan.FromSeconds(30))), null));
        if (!isOver.IsCompleted)
        {
            Assert.False(Run(batch));
        }

        Assert.True(isOver.IsCompleted);
    }

    private FiringBatch Begun(params FiringItem[] items)
    {
        var batch = _dispatcher.Rent();
        Array.ForEach(items, item => batch.Add(item));
        batch.Begin(now: 0);
        return batch;
    }
}
