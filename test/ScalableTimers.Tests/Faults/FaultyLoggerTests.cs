using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Faults;

/// <summary>A logger that blocks, or uses the service that logs to it.</summary>
public class FaultyLoggerTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Log_DisposesTheService_EndsIt(bool fromAnotherThread)
    {
        var clock = new ManualTimeProvider();
        TimerService? service = null;
        var logger = new CallingLogger(() =>
        {
            if (fromAnotherThread)
            {
                Wait.ForThread(service!.Dispose);
            }
            else
            {
                service!.Dispose();
            }
        });
        service = new TimerService(Services.LogsExceptions, clock: clock, logger: logger);
        var peers = 0;
        _ = service.Schedule(
            static _ => throw new InvalidOperationException("Thrown by the callback."), null, s_second);
        for (var i = 0; i < 10; i++)
        {
            _ = service.Schedule(_ => peers++, null, s_second);
        }

        clock.Advance(s_second);

        await Wait.For(service.DisposeAsync().AsTask(), "the disposal");
        var counted = service.GetSnapshot();
        Assert.Equal((0L, peers + 1L, 10L - peers), (counted.Pending, counted.Fired, counted.Dropped));
        Assert.Equal(0, clock.ArmedTimers);
    }

    // Fails if the worker takes an item before logging the warning, or has not queued another worker by then.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(FiringBatch.Capacity)]
    public async Task LogOfALongWaitForThePool_Blocks_HoldsUpNoTimer(int count)
    {
        using var release = new ManualResetEventSlim();
        using var isLogging = new ManualResetEventSlim();
        using var fired = new CountdownEvent(count);
        var logger = new CallingLogger(
            () =>
            {
                isLogging.Set();
                release.Wait();
            },
            LogLevel.Warning);
        var dispatcher = new FiringDispatcher(
            new TickClock(new HandClock(), TimeSpan.FromMilliseconds(10)), logger, CallbackExceptions.Log);
        var batch = dispatcher.Rent();
        for (var i = 0; i < count; i++)
        {
            batch.Add(new FiringItem(_ => fired.Signal(), null));
        }

        batch.Start(now: new Timestamp(-s_second.Ticks));
        Wait.For(isLogging, "the warning");
        Wait.For(fired, "timers while the logger blocks");

        release.Set();
        await Wait.For(dispatcher.Workers.WaitForOthersAsync(), "the batch");
        Assert.Equal((count, count), (dispatcher.Fired, dispatcher.Watch.Late));
    }
}
