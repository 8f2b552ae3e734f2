using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Testing;

namespace ScalableTimers.Tests;

/// <summary>
/// Services on the system clock that run callbacks on their driver's thread. The tests wait for events.
/// </summary>
public class CallbackThreadTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(1);

    private readonly FakeLogger<TimerService> _logger = new();

    [Theory]
    [InlineData(TimerServiceDriver.Thread)]
    [InlineData(TimerServiceDriver.Timer)]
    public async Task Callback_RunsOnTheThreadThatDrives(TimerServiceDriver driver)
    {
        await using var service = Services.WithSystemClock(driver, firesOnDriverThread: true);

        var thread = await Call(service, static () => Thread.CurrentThread);

        Assert.Equal(driver == TimerServiceDriver.Timer, thread.IsThreadPoolThread);
        Assert.Equal(driver == TimerServiceDriver.Thread, ReferenceEquals(thread, Services.DriverThread(service)));
        Assert.True(thread.IsBackground);
    }

    // Seen to fail without catching the exception in ThreadWakeSource: it ended the process.
    [Fact]
    public async Task Thread_InterruptedAfterACallback_TimersStillFire()
    {
        await using var service = Services.WithSystemClock(firesOnDriverThread: true);
        for (var i = 0; i < 20; i++)
        {
            var thread = await Call(service, static () => Thread.CurrentThread);
            thread.Interrupt();
        }

        Assert.True(await Call(service, static () => true));
    }

    [Fact]
    public async Task Callback_Blocks_IsNamedInAWarningAndTheOthersFireAfterwards()
    {
        var options = new TimerServiceOptions { CallbackThread = CallbackThread.DriverThread };
        await using var service = new TimerService(
            options, clock: null, _logger, meterFactory: null, isOrdered: false);
        using var fired = new CountdownEvent(200);
        for (var i = 0; i < 200; i++)
        {
            service.Schedule(i == 60 ? BlockFor150Milliseconds : _ => fired.Signal(), null, s_tick);
        }

        service.Schedule(_ => fired.Signal(), null, s_tick);

        Wait.For(fired, "the others");
        await service.DisposeAsync();
        var warning = Assert.Single(_logger.Collector.GetSnapshot(), static entry => entry.Id.Id == 3);
        Assert.Equal(LogLevel.Warning, warning.Level);
        Assert.Contains(
            $"{nameof(CallbackThreadTests)}.{nameof(BlockFor150Milliseconds)} ran 00:00:00.",
            warning.Message,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Dispose_InsideACallback_ReturnsAndTheThreadEnds(bool waits)
    {
        var service = Services.WithSystemClock(firesOnDriverThread: true);
        Thread? driver = null;
        var isOver = await Call(service, () =>
        {
            driver = Thread.CurrentThread;
            if (waits)
            {
                return service.DisposeAsync().AsTask().Wait(TimeSpan.FromSeconds(30));
            }

            service.Dispose();
            return true;
        });

        Assert.True(isOver, "It waits for itself.");
        Wait.ForEnd(driver!);
    }

    private static void BlockFor150Milliseconds(object? state)
    {
        using var never = new ManualResetEventSlim();
        never.Wait(150);
    }

    private static Task<T> Call<T>(TimerService service, Func<T> function)
    {
        var done = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        service.Schedule(_ => done.SetResult(function()), null, TimeSpan.Zero);
        return Wait.For(done.Task, "a callback");
    }
}
