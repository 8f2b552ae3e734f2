using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.TestingHost.Logging;
using Orleans.Timers.Scalable.Deadlines;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

public sealed class RefusedCallsLogTests
{
    private readonly InMemoryLogBuffer _log = new();
    private readonly ManualTimeProvider _clock = new();

    // A silo may refuse thousands of calls a second. Seen to fail when each is logged: there were three warnings.
    [Fact]
    public void OnRefused_ManyInASecond_LogsTheFirstAndThenHowManyWereLeftOut()
    {
        using var host = TestHosts.Silo(silo =>
        {
            silo.Services.AddSingleton<TimeProvider>(_clock);
            silo.Services.AddLogging(logging => logging.AddProvider(new InMemoryLoggerProvider(_log)));
            silo.AddCallCancellation();
        });
        var deadlines = host.Services.GetRequiredService<CallDeadlines>();
        var call = DispatchProxy.Create<IGrainCallContext, Call>();

        deadlines.OnRefused(DeadlineCounts.Callee, call, "first");
        deadlines.OnRefused(DeadlineCounts.Callee, call, "second");
        _clock.Advance(TimeSpan.FromSeconds(1));
        deadlines.OnRefused(DeadlineCounts.Caller, call, "third");

        var warnings = _log.AllEntries.Select(static entry => entry.ToString()!)
            .Where(static entry => entry.Contains(" calls were refused", StringComparison.Ordinal))
            .ToList();
        Assert.Equal(2, warnings.Count);
        Assert.Matches(" 1 calls were refused .* The last one: first", warnings[0]);
        Assert.Matches(" 2 calls were refused .* The last one: third", warnings[1]);
        Assert.Equal(2, deadlines.Counts.RefusedBy(DeadlineCounts.Callee));
    }

    // Seen to fail with the given logger unwrapped: its exception took the place of the refusal.
    [Fact]
    public void OnRefused_LoggerThrows_DoesNotThrow()
    {
        using var host = TestHosts.Silo(static silo => silo.AddCallCancellation()
            .Services.AddSingleton<ILogger<CallDeadlines>>(
                new Logger<CallDeadlines>(DispatchProxy.Create<ILoggerFactory, FullLog>())));
        var deadlines = host.Services.GetRequiredService<CallDeadlines>();

        deadlines.OnRefused(DeadlineCounts.Caller, DispatchProxy.Create<IGrainCallContext, Call>(), "first");

        Assert.Equal(1, deadlines.Counts.RefusedBy(DeadlineCounts.Caller));
    }

#pragma warning disable CA1852 // DispatchProxy derives classes from them.
    private class Call : DispatchProxy
    {
        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) => targetMethod!.Name;
    }

    private class FullLog : DispatchProxy
    {
        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) => targetMethod!.Name switch
        {
            nameof(ILoggerFactory.CreateLogger) => Create<ILogger, FullLog>(),
            nameof(ILogger.IsEnabled) => true,
            _ => throw new IOException("The log is full."),
        };
    }
#pragma warning restore CA1852
}
