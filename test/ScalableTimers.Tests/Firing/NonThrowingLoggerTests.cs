using Microsoft.Extensions.Logging;
using ScalableTimers.Firing;
using ScalableTimers.Tests.Clock;
using ScalableTimers.Tests.Faults;

namespace ScalableTimers.Tests.Firing;

public class NonThrowingLoggerTests
{
    // On a pool thread the exception would end the process, and on the driver's thread it would end all timers.
    // Generated log methods first ask whether the level is enabled. If that throws, Log is still called.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void LogAndIsEnabled_TheLoggerThrows_DoNotThrow(bool isEnabledThrows)
    {
        var clock = new ManualTimeProvider();
        var logged = 0;
        var logger = new CallingLogger(() =>
        {
            logged++;
            Throw();
        })
        {
            Enables = isEnabledThrows ? Throw : static () => true,
        };
        using var service = new TimerService(Services.LogsExceptions, clock: clock, logger: logger);
        var fired = 0;
        service.Schedule(
            static _ => throw new InvalidOperationException("Thrown by the callback."), null, TimeSpan.FromSeconds(1));
        service.Schedule(_ => fired++, null, TimeSpan.FromSeconds(1));

        clock.Advance(TimeSpan.FromSeconds(1));

        var counted = service.GetSnapshot();
        // That the time is virtual is logged too.
        Assert.Equal((1, 2, 2L, 1L), (fired, logged, counted.Fired, counted.Failed));
        Assert.True(service.DisposeAsync().IsCompletedSuccessfully);
    }

    // Seen to fail without restoring the contexts after Log, or after IsEnabled: a value reached the callbacks that
    // fired next on that thread.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void LogAndIsEnabled_TheLoggerSetsAsyncLocalAndContext_NeitherReachesTheCaller(bool isFlowSuppressed) =>
        Wait.ForThread(() =>
    {
        var local = new AsyncLocal<string?>();
        bool Leak()
        {
            local.Value = "leaked";
            SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
            return true;
        }

        var logger = new NonThrowingLogger(new CallingLogger(() => Leak()) { Enables = Leak });
        if (isFlowSuppressed)
        {
            ExecutionContext.SuppressFlow();
        }

        _ = logger.IsEnabled(LogLevel.Error);
        var afterIsEnabled = (local.Value, SynchronizationContext.Current, ExecutionContext.IsFlowSuppressed());
        logger.Log(LogLevel.Error, new EventId(5), "state", null, static (_, _) => "");
        var afterLog = (local.Value, SynchronizationContext.Current, ExecutionContext.IsFlowSuppressed());

        Assert.Equal((null, null, isFlowSuppressed), afterIsEnabled);
        Assert.Equal((null, null, isFlowSuppressed), afterLog);
    });

    private static bool Throw() => throw new IOException("Thrown by the logger.");
}
