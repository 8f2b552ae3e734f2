using ScalableTimers.Tests.Clock;
using Microsoft.Extensions.Logging;
using ScalableTimers.Firing;

namespace ScalableTimers.Tests.Firing;

public class NonThrowingLoggerTests
{
    [Fact]
    public void Log_TheLoggerThrows_GoesNoFurther()
    {
        // On a pool thread the exception would end the process, and on the driver's thread it would end all timers.
        var clock = new ManualTimeProvider();
        using var service = new TimerService(clock: clock, logger: new ThrowingLogger());
        var fired = 0;
        service.Schedule(
            static _ => throw new InvalidOperationException("Thrown by the callback."), null, TimeSpan.FromSeconds(1));
        service.Schedule(_ => fired++, null, TimeSpan.FromSeconds(1));

        clock.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal((1, 2L, 1L), (fired, service.GetSnapshot().Fired, service.GetSnapshot().Failed));
        Assert.True(service.DisposeAsync().IsCompletedSuccessfully);
    }

    [Fact]
    public void IsEnabled_TheLoggerThrows_GoesNoFurther()
    {
        // Generated log methods first ask whether the level is enabled. The exception from that call, in the catch
        // block of a firing, ended the process on a pool thread.
        var clock = new ManualTimeProvider();
        var log = new ThrowingLogger { IsEnabledThrows = true };
        using var service = new TimerService(clock: clock, logger: log);
        var fired = 0;
        service.Schedule(
            static _ => throw new InvalidOperationException("Thrown by the callback."), null, TimeSpan.FromSeconds(1));
        service.Schedule(_ => fired++, null, TimeSpan.FromSeconds(1));

        clock.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal((1, 1, 1L), (fired, log.Logged, service.GetSnapshot().Failed));
    }

    [Fact]
    public void BeginScope_TheLoggerThrows_ThereIsNoScope() =>
        Assert.Null(new NonThrowingLogger(new ThrowingLogger()).BeginScope("scope"));

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

    [Fact]
    public void BeginScope_IsTheLoggersOwn()
    {
        using var inner = new ScopedLogger();

        using var scope = new NonThrowingLogger(inner).BeginScope("request 7");

        Assert.Same(inner, scope);
        Assert.Equal("request 7", inner.Begun);
        Assert.False(new NonThrowingLogger(inner).IsEnabled(LogLevel.Critical));
    }

    // Calibrated by not restoring the contexts after Log, or after IsEnabled: a value reached the callbacks that fired
    // next on that thread.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void LogAndIsEnabled_TheLoggerSetsAsyncLocalAndContext_NeitherReachesTheCaller(bool isFlowSuppressed) =>
        Wait.ForThread(() =>
    {
        var local = new AsyncLocal<string?>();
        var logger = new NonThrowingLogger(new LeakingLogger(local));
        if (isFlowSuppressed)
        {
            ExecutionContext.SuppressFlow();
        }

        _ = logger.IsEnabled(LogLevel.Warning);
        var afterIsEnabled = (local.Value, SynchronizationContext.Current, ExecutionContext.IsFlowSuppressed());
        logger.Log(LogLevel.Warning, new EventId(5), "state", null, static (_, _) => "");
        var afterLog = (local.Value, SynchronizationContext.Current, ExecutionContext.IsFlowSuppressed());

        Assert.Equal((null, null, isFlowSuppressed), afterIsEnabled);
        Assert.Equal((null, null, isFlowSuppressed), afterLog);
    });

    private sealed class LeakingLogger(AsyncLocal<string?> local) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel)
        {
            Leak();
            return true;
        }

        public void Log<TState>(
            LogLevel logLevel,
            EventId eventId,
            TState state,
            Exception? exception,
            Func<TState, Exception?, string> formatter) => Leak();

        private void Leak()
        {
            local.Value = "leaked";
            SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
        }
    }

    private sealed class ScopedLogger : ILogger, IDisposable
    {
        internal object? Begun { get; private set; }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
        {
            Begun = state;
            return this;
        }

        public bool IsEnabled(LogLevel logLevel) => false;

        public void Log<TState>(
            LogLevel logLevel,
            EventId eventId,
            TState state,
            Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
        }

        public void Dispose()
        {
        }
    }

    private sealed class ThrowingLogger : ILogger<TimerService>
    {
        internal bool IsEnabledThrows { get; init; }

        internal int Logged { get; private set; }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => throw new IOException("Thrown by the logger.");

        public bool IsEnabled(LogLevel logLevel) =>
            IsEnabledThrows ? throw new IOException("Thrown by the logger.") : true;

        public void Log<TState>(
            LogLevel logLevel,
            EventId eventId,
            TState state,
            Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            Logged++;
            throw new IOException("Thrown by the logger.");
        }
    }
}
