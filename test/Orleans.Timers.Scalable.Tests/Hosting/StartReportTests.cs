using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.Reminders;
using Orleans.TestingHost.Logging;
using Orleans.Timers.Scalable.Clocks;
using Orleans.Timers.Scalable.Hosting;
using Orleans.Timers.Scalable.Transactions.Phases;
using Orleans.Transactions;
using ScalableTimers;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

[Collection(typeof(Alone))]
public sealed class StartReportTests
{
    private static readonly string s_clocks = string.Join(
        ", ", TimeProviderNames.Grains, TransactionTimeProviderNames.Transactions, ReminderTimeProviderNames.Reminders,
        KeyedClocks.DurableJobs);

    private readonly InMemoryLogBuffer _first = new();
    private readonly InMemoryLogBuffer _second = new();
    private readonly InMemoryLogBuffer _client = new();

    // Most programs log only warnings of the category Orleans. Seen to fail with categories that begin with that: the
    // report was not there.
    [Fact]
    public void Constructors_TakeNoLoggerWhoseCategoryBeginsWithOrleans() => Assert.Empty(
        from type in typeof(StartReport).Assembly.GetTypes().Concat(typeof(TransactionPhases).Assembly.GetTypes())
        from constructor in type.GetConstructors(
            BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
        from parameter in constructor.GetParameters()
        where parameter.ParameterType.Name == typeof(ILogger<>).Name
        select type);

    [Fact]
    public async Task Start_OfSilosAndTheirClient_LogsAOneLineReport()
    {
        await using var cluster = await Clusters.Deploy(
            silos: 2,
            (number, silo) =>
            {
                silo.Services.AddLogging(logging => LogTo(number == 0 ? _first : _second, logging));
                silo.AddScalableTimers().AddScalableTimers();
                if (number > 0)
                {
                    ConfigureOtherwise(silo);
                }
            },
            client =>
            {
                client.Services.AddLogging(logging => LogTo(_client, logging));
                client.AddScalableTimers()
                    .Configure<OrleansTimerOptions>(static options => options.PromptResponseTimeouts = false);
            }).Guarded("the silos and their client start");

        var first = Report(_first);
        Assert.Single(_first.AllEntries);
        Assert.Matches(@"run in Orleans 10\.\d+\.\d+(-[\w.]+)? with", first);
        Assert.Contains("a resolution of 00:00:00.0100000, driven by a Thread. ", first, StringComparison.Ordinal);
        Assert.Contains($"Clocks driven: {s_clocks}; left alone: none. ", first, StringComparison.Ordinal);
        Assert.Contains(
            "Static timers: left to Orleans (OrleansTimerOptions.ServeStaticTimers is false)",
            first,
            StringComparison.Ordinal);
        Assert.Contains(
            "Response timeouts: checked every 00:00:00.0200000, and every 00:00:00.2000000 while idle or overloaded",
            first,
            StringComparison.Ordinal);

        var second = Report(_second);
        Assert.Contains("a resolution of 00:00:00.0250000, driven by a Timer. ", second, StringComparison.Ordinal);
        Assert.Contains(
            $"left alone: {ReminderTimeProviderNames.Reminders} ({typeof(ManualTimeProvider)}). ",
            second,
            StringComparison.Ordinal);
        Assert.Contains("Static timers: served", second, StringComparison.Ordinal);
        Assert.Contains(
            $"left to Orleans (the clock Orleans.Messaging is {TimeProvider.System.GetType()})",
            second,
            StringComparison.Ordinal);

        var warning = Assert.Single(_second.AllEntries, static entry => entry.EventId.Id == 3);
        Assert.Equal(LogLevel.Warning, warning.LogLevel);
        Assert.Contains(
            $"leave the clocks {ReminderTimeProviderNames.Reminders} ({typeof(ManualTimeProvider)}), "
                + $"{TimeProviderNames.Messaging} ({TimeProvider.System.GetType()}) to Orleans",
            warning.Message,
            StringComparison.Ordinal);

        var client = Report(_client);
        Assert.Contains("Clocks driven: none; ", client, StringComparison.Ordinal);
        Assert.Contains(
            "left to Orleans (OrleansTimerOptions.PromptResponseTimeouts is false)", client, StringComparison.Ordinal);
        Assert.Null(cluster.Client.ServiceProvider.MessagingClock().Check!.Periods);
        await cluster.StopAllSilosAsync();
    }

    private static void LogTo(InMemoryLogBuffer log, ILoggingBuilder logging) =>
        logging.AddProvider(new InMemoryLoggerProvider(log))
            .AddFilter<InMemoryLoggerProvider>(null, LogLevel.None)
            .AddFilter<InMemoryLoggerProvider>("ScalableTimers", LogLevel.Information)
            .AddFilter<InMemoryLoggerProvider>("Orleans.Timers.Scalable", LogLevel.Warning);

    private static string Report(InMemoryLogBuffer log) =>
        Assert.Single(log.AllEntries, static entry => entry.EventId.Id == 1).ToString()!;

    private static void ConfigureOtherwise(ISiloBuilder silo)
    {
        silo.Services.AddKeyedSingleton(TimeProviderNames.Messaging, TimeProvider.System);
        silo.Services.AddKeyedSingleton<TimeProvider>(ReminderTimeProviderNames.Reminders, new ManualTimeProvider());
        silo.Configure<OrleansTimerOptions>(static options => options.ServeStaticTimers = true);
        silo.AddScalableTimers(static options =>
        {
            options.Resolution = TimeSpan.FromMilliseconds(25);
            options.Driver = TimerServiceDriver.Timer;
        });
    }
}
