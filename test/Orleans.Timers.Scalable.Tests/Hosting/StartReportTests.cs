using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Reminders;
using Orleans.TestingHost;
using Orleans.Transactions;
using ScalableTimers;
using ScalableTimers.Testing;

namespace Orleans.Timers.Scalable.Tests;

public sealed class StartReportTests
{
    [Fact]
    public async Task Start_OfASiloAndItsClient_SaysInOneLineWhatIsTakenOver()
    {
        var log = new EventLog();
        await using var cluster = await Start(log, static silo => silo.AddScalableTimers());

        var silo = Assert.Single(log.Of("silo"));
        Assert.Matches(@"^10\.\d+\.\d+(-[\w.]+)?$", Text(silo, "OrleansVersion"));
        Assert.Equal(TimeSpan.FromMilliseconds(10), silo["Resolution"]);
        Assert.Equal(TimerDriverKind.Thread, silo["Driver"]);
        Assert.Equal(
            [
                TimeProviderNames.Grains, TransactionTimeProviderNames.Transactions,
                ReminderTimeProviderNames.Reminders, KeyedClocks.DurableJobs,
            ],
            Text(silo, "Clocks").Split(", "));
        Assert.Equal("none", silo["ClocksLeftAlone"]);
        Assert.Equal("none", silo["UnknownClocks"]);
        Assert.Equal("left to Orleans (OrleansTimerOptions.ServeStaticTimers is false)", silo["StaticTimers"]);
        Assert.Equal(
            "checked every 00:00:00.0200000, and every 00:00:00.2000000 while idle or overloaded",
            silo["ResponseTimeouts"]);

        var client = Assert.Single(log.Of("client"));
        Assert.Equal("none", client["Clocks"]);
        Assert.Equal(silo["ResponseTimeouts"], client["ResponseTimeouts"]);
        Assert.Equal(silo["OrleansVersion"], client["OrleansVersion"]);
    }

    [Fact]
    public async Task Start_WithOptionsAndAClockOfItsOwner_SaysSo()
    {
        var log = new EventLog();
        await using var cluster = await Start(log, static silo =>
        {
            silo.Services.AddKeyedSingleton(TimeProviderNames.Messaging, TimeProvider.System);
            silo.Services.AddKeyedSingleton<TimeProvider>(
                ReminderTimeProviderNames.Reminders, new ManualTimeProvider());
            silo.AddScalableTimers(static options =>
            {
                options.Resolution = TimeSpan.FromMilliseconds(25);
                options.Driver = TimerDriverKind.Timer;
            });
            silo.Configure<OrleansTimerOptions>(static options => options.ServeStaticTimers = true);
        });

        var silo = Assert.Single(log.Of("silo"));
        Assert.Equal(TimeSpan.FromMilliseconds(25), silo["Resolution"]);
        Assert.Equal(TimerDriverKind.Timer, silo["Driver"]);
        Assert.DoesNotContain(ReminderTimeProviderNames.Reminders, Text(silo, "Clocks"), StringComparison.Ordinal);
        Assert.Equal(
            $"{ReminderTimeProviderNames.Reminders} ({typeof(ManualTimeProvider)})", silo["ClocksLeftAlone"]);
        Assert.Equal("served", silo["StaticTimers"]);
        Assert.Equal(
            $"left to Orleans (the clock Orleans.Messaging is {TimeProvider.System.GetType()})",
            silo["ResponseTimeouts"]);
    }

    [Fact]
    public async Task Start_ScalableTimersAddedTwice_SaysItOnce()
    {
        var log = new EventLog();
        await using var cluster = await Start(
            log, static silo => silo.AddScalableTimers().AddScalableTimers().AddCallTimeouts());

        Assert.Single(log.Of("silo"));
    }

    [Fact]
    public async Task Start_ShortestCheckIsTheLongest_NamesOnePeriod()
    {
        var log = new EventLog();
        await using var cluster = await Start(log, static silo => silo.AddScalableTimers()
            .Configure<OrleansTimerOptions>(static options =>
                options.ShortestResponseTimeoutCheck = options.LongestResponseTimeoutCheck));

        Assert.Equal("checked every 00:00:00.2000000", Assert.Single(log.Of("silo"))["ResponseTimeouts"]);
    }

    private static async Task<InProcessTestCluster> Start(EventLog log, Action<ISiloBuilder> configure)
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 1);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo((_, silo) =>
        {
            silo.Services.AddLogging(logging => logging.AddProvider(log.For("silo")));
            configure(silo);
        });
        builder.ConfigureClient(client =>
        {
            client.Services.AddLogging(logging => logging.AddProvider(log.For("client")));
            client.AddScalableTimers();
        });
        var cluster = builder.Build();
        await cluster.DeployAsync().Guarded("a silo and its client start");
        return cluster;
    }

    private static string Text(IReadOnlyDictionary<string, object?> report, string name) =>
        Assert.IsType<string>(report[name]);

    /// <summary>Keeps what the report says, by the names of the values.</summary>
    private sealed class EventLog
    {
        private readonly ConcurrentQueue<(string Host, IReadOnlyDictionary<string, object?> Values)> _events = new();

        internal IEnumerable<IReadOnlyDictionary<string, object?>> Of(string host) =>
            _events.Where(entry => entry.Host == host).Select(static entry => entry.Values);

        internal ILoggerProvider For(string host) => new Provider(this, host);

        private sealed class Provider(EventLog log, string host) : ILoggerProvider, ILogger
        {
            public ILogger CreateLogger(string categoryName) => categoryName == typeof(StartReport).FullName
                ? this
                : NullLogger.Instance;

            public void Dispose()
            {
            }

            public IDisposable? BeginScope<TState>(TState state)
                where TState : notnull => null;

            public bool IsEnabled(LogLevel logLevel) => true;

            public void Log<TState>(
                LogLevel logLevel,
                EventId eventId,
                TState state,
                Exception? exception,
                Func<TState, Exception?, string> formatter)
            {
                Assert.Equal(LogLevel.Information, logLevel);
                log._events.Enqueue((
                    host,
                    ((IReadOnlyList<KeyValuePair<string, object?>>)state!).ToDictionary()));
            }
        }
    }
}
