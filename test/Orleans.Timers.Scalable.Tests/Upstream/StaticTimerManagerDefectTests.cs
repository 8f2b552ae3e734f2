using System.Diagnostics;
using System.Reflection;
using Orleans.Timers.Internal;

namespace Orleans.Timers.Scalable.Tests.Upstream;

public sealed class StaticTimerManagerDefectTests(StockSilo silo) : IClassFixture<StockSilo>
{
    [Fact]
    public async Task Delay_AnEarlierOneExpires_LaterOnesOfTheThreadFireToo()
    {
        Defect.SkipWhileServed();

        var lateness = await DelaysOfOneThread(silo.Timers);

        TestContext.Current.TestOutputHelper?.WriteLine(
            string.Join(", ", lateness.Select(static late => $"{late.TotalMilliseconds:F0} ms")));
        Defect.ShowsAgain(lateness.Any(static late => late < TimeSpan.FromSeconds(-0.1)), "Timers fire early");
    }

    [Fact]
    public async Task Notify_Superseded_LeavesItsTimerBehind()
    {
        Defect.SkipWhileServed();

        using var cancellation = new CancellationTokenSource();
        var bytes = await NotifyAgainAndAgain(times: 20_000, cancellation.Token);

        // The timers are removed, so that other tests do not find them.
        await cancellation.CancelAsync();
        await StockSilo.LookThrough(silo.Timers);

        TestContext.Current.TestOutputHelper?.WriteLine($"{bytes / 20_000} bytes each.");
        Defect.ShowsAgain(bytes > 20_000 * 100, "Superseded timers are never cancelled");
    }

    [Fact]
    public void Delay_OfAThreadThatEnds_LeavesItsQueueBehind()
    {
        Defect.SkipWhileServed();

        var queues = QueuesOfEndedThreads(silo.Timers, threads: 100);

        Defect.ShowsAgain(queues >= 100, "Queues of ended threads stay");
    }

    [Fact]
    public async Task TryRelease_OfANestedLock_UnlocksTheOuter()
    {
        var isFree = await IsFreeAfterInnerRelease();

        Defect.ShowsAgain(isFree, "A lock that is recursive has no depth");
    }

    private static async Task<TimeSpan[]> DelaysOfOneThread(ITimerManager timers)
    {
        double[] seconds = [0.2, 5, 1, 3];
        return await Task.WhenAll(seconds.Select(async dueTime =>
        {
            var start = Stopwatch.GetTimestamp();
            await timers.Delay(TimeSpan.FromSeconds(dueTime));
            return Stopwatch.GetElapsedTime(start) - TimeSpan.FromSeconds(dueTime);
        }));
    }

    private static async Task<long> NotifyAgainAndAgain(int times, CancellationToken deactivation)
    {
        var worker = new BatchWorkerFromDelegate(() => Task.CompletedTask, deactivation);
        var before = GC.GetTotalMemory(forceFullCollection: true);
        for (var i = 0; i < times; i++)
        {
            // The lock of a transactional state does the same: it looks again at the deadline. Work that comes before
            // the deadline supersedes that look.
            worker.Notify(DateTime.UtcNow.AddSeconds(8));
            await worker.NotifyAndWaitForWorkToBeServiced();
        }

        return GC.GetTotalMemory(forceFullCollection: true) - before;
    }

    private static int QueuesOfEndedThreads(ITimerManager timers, int threads)
    {
        for (var i = 0; i < threads; i++)
        {
            var thread = new Thread(() => timers.Delay(TimeSpan.FromMilliseconds(1)));
            thread.Start();
            thread.Join();
        }

        // Inside Orleans this is TimerManager<DelayTimer>.allQueues. It is private.
        var manager = typeof(BatchWorker).Assembly.GetType("Orleans.Timers.Internal.TimerManager", throwOnError: true)!;
        var timer = manager.GetNestedType("DelayTimer", BindingFlags.NonPublic)!;
        var queues = manager.Assembly.GetType("Orleans.Timers.Internal.TimerManager`1", throwOnError: true)!
            .MakeGenericType(timer).GetField("allQueues", BindingFlags.NonPublic | BindingFlags.Static)!;
        return ((Array)queues.GetValue(null)!).Cast<object?>().Count(static queue => queue is not null);
    }

    private static async Task<bool> IsFreeAfterInnerRelease()
    {
        // Inside Orleans this is new RecursiveInterlockedExchangeLock(). It is internal.
        var type = typeof(BatchWorker).Assembly.GetType(
            "Orleans.Threading.RecursiveInterlockedExchangeLock", throwOnError: true)!;
        var recursive = Activator.CreateInstance(type)!;
        bool Call(string method) =>
            (bool)type.GetMethod(method, BindingFlags.Public | BindingFlags.Instance)!.Invoke(recursive, null)!;

        Call("TryGet");
        Call("TryGet");
        Call("TryRelease");

        // This thread has acquired the lock once more often than it has released it.
        return await Task.Factory.StartNew(
            () => Call("TryGet"), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }
}
