using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Orleans.Reminders;
using Orleans.Transactions;
using ScalableTimers;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

[Collection(typeof(Alone))]
public sealed class StartReportTests
{
    [Fact]
    public async Task Start_OfSilosAndTheirClient_SaysInOneLineWhatIsTakenOver()
    {
        var log = new EventLog();
        await using var cluster = await Clusters.Deploy(
            silos: 2,
            (number, silo) =>
            {
                silo.Services.AddLogging(logging => logging.AddProvider(log.For($"silo {number}")));
                silo.AddScalableTimers().AddScalableTimers();
                if (number > 0)
                {
                    ConfigureOtherwise(silo);
                }
            },
            client =>
            {
                client.Services.AddLogging(logging => logging.AddProvider(log.For("client")));
                client.AddScalableTimers()
                    .Configure<OrleansTimerOptions>(static options => options.PromptResponseTimeouts = false);
            }).Guarded("the silos and their client start");

        var silo = Assert.Single(log.Of("silo 0"));
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
        Assert.Equal("left to Orleans (OrleansTimerOptions.ServeStaticTimers is false)", silo["StaticTimers"]);
        Assert.Equal(
            "checked every 00:00:00.0200000, and every 00:00:00.2000000 while idle or overloaded",
            silo["ResponseTimeouts"]);

        var other = Assert.Single(log.Of("silo 1"));
        Assert.Equal(TimeSpan.FromMilliseconds(25), other["Resolution"]);
        Assert.Equal(TimerDriverKind.Timer, other["Driver"]);
        Assert.DoesNotContain(ReminderTimeProviderNames.Reminders, Text(other, "Clocks"), StringComparison.Ordinal);
        Assert.Equal(
            $"{ReminderTimeProviderNames.Reminders} ({typeof(ManualTimeProvider)})", other["ClocksLeftAlone"]);
        Assert.Equal("served", other["StaticTimers"]);
        Assert.Equal(
            $"left to Orleans (the clock Orleans.Messaging is {TimeProvider.System.GetType()})",
            other["ResponseTimeouts"]);

        var client = Assert.Single(log.Of("client"));
        Assert.Equal("none", client["Clocks"]);
        Assert.Equal(
            "left to Orleans (OrleansTimerOptions.PromptResponseTimeouts is false)", client["ResponseTimeouts"]);
        Assert.Null(cluster.Client.ServiceProvider.MessagingClock().Check!.Periods);
        Assert.Equal(silo["OrleansVersion"], client["OrleansVersion"]);
        await cluster.StopAllSilosAsync();
    }

    private static void ConfigureOtherwise(ISiloBuilder silo)
    {
        silo.Services.AddKeyedSingleton(TimeProviderNames.Messaging, TimeProvider.System);
        silo.Services.AddKeyedSingleton<TimeProvider>(ReminderTimeProviderNames.Reminders, new ManualTimeProvider());
        silo.Configure<OrleansTimerOptions>(static options => options.ServeStaticTimers = true);
        silo.AddScalableTimers(static options =>
        {
            options.Resolution = TimeSpan.FromMilliseconds(25);
            options.Driver = TimerDriverKind.Timer;
        });
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
