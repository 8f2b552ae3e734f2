using ScalableTimers.Tests.Clock;
using ScalableTimers.Tests.Metrics;
using ScalableTimers.Tests.Timers;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P11: a loop over delays that catches every exception does not become a hot one when the service stops. And what ends
/// a service can be repeated if it was broken off.
/// </summary>
public class P11_NoWorseThanWhatItReplacesTests_Stopping
{
    private const int TooMany = 10_000;

    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    // Failed before with ours: 10,000 rounds at once, where the test gives up.
    [Theory]
    [InlineData("Task.Delay")]
    [InlineData("Delay")]
    [InlineData("TryDelay")]
    [InlineData("Delay, infinite")]
    public async Task Loop_CatchesAllAfterStop_RunsOnceASecond(string wait)
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(new(), clock: clock);
        var loop = new Loop();
        Wait.ForThread(() => _ = loop.Run(() => Begin(wait, service, clock)));

        await service.StopAsync(TestContext.Current.CancellationToken);
        var atStop = loop.Rounds;
        for (var i = 0; i < 120; i++)
        {
            clock.Advance(s_tick);
        }

        Assert.Equal((wait == "Task.Delay" ? 0 : 1, 1), (atStop, loop.Rounds - atStop));
        loop.End();
    }

    // Failed before: each ended at once.
    [Fact]
    public async Task Delay_BegunAfterStop_TakesItsTimeUpToASecondAndEndsAsCancelled()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(new(), clock: clock);
        await service.StopAsync(TestContext.Current.CancellationToken);
        var brief = service.Delay(5 * s_tick).AsTask();
        var infinite = service.Delay(Timeout.InfiniteTimeSpan).AsTask();
        var result = service.TryDelay(s_hour, TestContext.Current.CancellationToken).AsTask();
        var control = Task.Delay(5 * s_tick, clock, TestContext.Current.CancellationToken);

        clock.Advance(4 * s_tick);
        Assert.False(brief.IsCompleted || control.IsCompleted);
        clock.Advance(s_tick);
        Assert.Equal((true, true), (brief.IsCanceled, control.IsCompleted));
        Assert.False(infinite.IsCompleted || result.IsCompleted);
        clock.Advance(s_second);
        Assert.True(infinite.IsCanceled);
        Assert.False(await Wait.For(result, "the end of a delay of an hour"));
        service.Dispose();
        Assert.Throws<ObjectDisposedException>(() => { _ = service.Delay(s_second); });
        Assert.Throws<ObjectDisposedException>(() => { _ = service.TryDelay(s_second); });
    }

    // .NET's timers have no such end. Failed before: the second call did nothing, so the delay never ended and, after
    // Dispose, neither did the driver's thread, nor did the service leave its meter.
    [Theory]
    [InlineData("Dispose", "queues")]
    [InlineData("Dispose", "meter")]
    [InlineData("DisposeAsync", "queues")]
    [InlineData("StopAsync", "queues")]
    public void End_InterruptedAtAContendedLock_CanBeRepeated(string how, string at)
    {
        using var meters = new OwnMeter();
        var service = new TimerService(new(), logger: null, meterFactory: meters);
        var delay = service.TryDelay(s_hour, TestContext.Current.CancellationToken).AsTask();
        var driver = Services.DriverThread(service)!;
        var instruments = Services.Field(Services.Field(service, "_metrics")!, "_instruments")!;
        var gate = (Lock)Services.Field(at == "meter" ? instruments : Services.Queues(service), "_gate")!;
        var wasInterrupted = false;
        var thread = new Thread(() =>
        {
            try
            {
                End(service, how);
            }
            catch (ThreadInterruptedException)
            {
                wasInterrupted = true;
            }
        });
        lock (gate)
        {
            thread.Start();
            Wait.Until(() => thread.ThreadState.HasFlag(System.Threading.ThreadState.WaitSleepJoin), "the wait");
            thread.Interrupt();
            Wait.ForEnd(thread);
        }

        Assert.True(wasInterrupted);
        End(service, how);

        Wait.Until(() => delay.IsCompleted, "the end of the delay");
        if (how != "StopAsync")
        {
            Wait.ForEnd(driver);
            Assert.Empty((Array)Services.Field(instruments, "_sources")!);
        }
    }

    [Fact]
    public async Task Stop_TokenIsCancelled_CanBeRepeated()
    {
        // Two threads have a queue each. Whichever ends first cancels the stop before it comes to the other.
        using var service = new TimerService(new());
        using var meanwhile = new CancellationTokenSource();
        var cancels = new TokenScope(CancellationToken.None, meanwhile.Cancel);
        var delays = new[] { Begin(), Task.FromResult(false) };
        var thread = new Thread(() => delays[1] = Begin());
        thread.Start();
        thread.Join();

        var first = service.StopAsync(new CancellationToken(canceled: true));
        Assert.True(first.IsCanceled);
        Assert.All(delays, static delay => Assert.False(delay.IsCompleted));
        Assert.True(service.StopAsync(meanwhile.Token).IsCanceled);
        Assert.Equal(1, service.GetSnapshot().Pending);
        await service.StopAsync(CancellationToken.None);

        foreach (var delay in delays)
        {
            Assert.False(await Wait.For(delay, "the end of the delay"));
        }

        Task<bool> Begin() => service.TryDelay(s_hour, cancels, CancellationToken.None).AsTask();
    }

    private static ValueTask Begin(string wait, TimerService service, TimeProvider clock) => wait switch
    {
        "Task.Delay" => new ValueTask(Task.Delay(s_second, clock)),
        "Delay" => service.Delay(s_second),
        "TryDelay" => Try(service),
        _ => service.Delay(Timeout.InfiniteTimeSpan),
    };

    private static async ValueTask Try(TimerService service) => Assert.False(await service.TryDelay(s_second));

    private static void End(TimerService service, string how)
    {
        switch (how)
        {
            case "Dispose":
                service.Dispose();
                break;
            case "DisposeAsync":
                _ = service.DisposeAsync().AsTask();
                break;
            default:
                _ = service.StopAsync(CancellationToken.None);
                break;
        }
    }

    /// <summary>A loop as in many a worker, which counts its rounds and gives up after many.</summary>
    private sealed class Loop
    {
        private int _rounds;
        private bool _isOver;

        internal int Rounds => Volatile.Read(ref _rounds);

        internal void End() => Volatile.Write(ref _isOver, true);

        internal async Task Run(Func<ValueTask> wait)
        {
            while (!Volatile.Read(ref _isOver) && _rounds < TooMany)
            {
                try
                {
                    await wait();
                }
                catch (Exception)
                {
                    // A worker would log it here.
                }

                Interlocked.Increment(ref _rounds);
            }
        }
    }
}
