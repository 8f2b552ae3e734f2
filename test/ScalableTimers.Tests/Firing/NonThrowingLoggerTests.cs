using Microsoft.Extensions.Logging;
using ScalableTimers.Firing;
using ScalableTimers.Tests.Clock;
using ScalableTimers.Tests.Faults;

namespace ScalableTimers.Tests.Firing;

public class NonThrowingLoggerTests
{
    // On a pool thread the exception would end the process, and on the driver's thread it would end all timers.
    [Fact]
    public void Log_TheLoggerThrows_GoesNoFurther()
    {
        var clock = new ManualTimeProvider();
        var logged = 0;
        var logger = new CallingLogger(() =>
        {
            logged++;
            throw new IOException("Thrown by the logger.");
        });
        using var service = new TimerService(clock: clock, logger: logger);
        var fired = 0;
        service.Schedule(
            static _ => throw new InvalidOperationException("Thrown by the callback."), null, TimeSpan.FromSeconds(1));
        service.Schedule(_ => fired++, null, TimeSpan.FromSeconds(1));

        clock.Advance(TimeSpan.FromSeconds(1));

        var counted = service.GetSnapshot();
        Assert.Equal((1, 1, 2L, 1L), (fired, logged, counted.Fired, counted.Failed));
        Assert.True(service.DisposeAsync().IsCompletedSuccessfully);
    }

    [Fact]
    public void Log_PassesOnWhatItIsGiven()
    {
        var inner = new CollectingLogger();
        var logger = new NonThrowingLogger(inner);
        var thrown = new InvalidOperationException("Thrown.");

        logger.Log(
            LogLevel.Warning,
            new EventId(5),
            "state",
            thrown,
            static (state, exception) => $"{state}: {exception!.Message}");

        Assert.Equal((LogLevel.Warning, 5, "state: Thrown.", thrown), Assert.Single(inner.Entries));
        Assert.True(logger.IsEnabled(LogLevel.Trace));
    }

    // Calibrated by not restoring the contexts: a value reached the callbacks that fired next on that thread.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Log_TheLoggerSetsAsyncLocalAndContext_NeitherReachesTheCaller(bool isFlowSuppressed) =>
        Wait.ForThread(() =>
    {
        var local = new AsyncLocal<string?>();
        var logger = new NonThrowingLogger(new CallingLogger(() =>
        {
            local.Value = "leaked";
            SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
        }));
        if (isFlowSuppressed)
        {
            ExecutionContext.SuppressFlow();
        }

        logger.Log(LogLevel.Error, new EventId(5), "state", null, static (_, _) => "");

        Assert.Equal(
            (null, null, isFlowSuppressed),
            (local.Value, SynchronizationContext.Current, ExecutionContext.IsFlowSuppressed()));
    });
}
