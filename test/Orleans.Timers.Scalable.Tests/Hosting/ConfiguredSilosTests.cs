using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.TestingHost.Logging;
using Orleans.Timers.Scalable.Clocks;
using Orleans.Timers.Scalable.Registration;
using Orleans.Timers.Scalable.Transactions.Waits;
using Orleans.Transactions;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>What the configuration section ScalableTimers changes, regardless of the code.</summary>
public sealed class ConfiguredSilosTests
{
    [Theory]
    [InlineData("Enabled", "fales", "ScalableTimers:Enabled")]
    [InlineData("Resolution", "00:01:00", "TimerServiceOptions.Resolution")]
    [InlineData("Enabled", null, "ScalableTimers:Enabled to one value")]
    [InlineData("Enabled:Really", "false", "ScalableTimers:Enabled to one value")]
    [InlineData("", "false", "ScalableTimers to 'false'")]
    [InlineData("TransactionPhases:LockAcquisition", "1 s", "ScalableTimers:TransactionPhases:LockAcquisition")]
    [InlineData("TransactionPhases:Deadline", "2.00:00:00", "TransactionPhaseOptions.Deadline is 2.00:00:00")]
    public async Task Start_ValueIsInvalid_FailsNamingIt(string key, string? value, string named)
    {
        using var host = Silo((key, value));

        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => host.StartAsync(TestContext.Current.CancellationToken));

        Assert.Contains(named, error.Message, StringComparison.Ordinal);
    }

    // Seen to fail when an unknown key was an error: neither silo started, nor did one that had been taken back to a
    // version without an option. The misspelt section was ignored without a word.
    [Fact]
    public async Task Start_KeysAreUnknownOrASectionIsMisspelt_WarnsAndIgnoresThem()
    {
        InMemoryLogBuffer[] logs = [new(), new()];
        await using var cluster = await Clusters.Deploy(silos: 2, (number, silo) =>
        {
            silo.Services.AddLogging(logging => logging.AddProvider(new InMemoryLoggerProvider(logs[number])));
            ((IConfigurationBuilder)silo.Configuration).AddInMemoryCollection(number == 0
                ? [new("ScalableTimer:Enabled", "false"), new("scalabelTimers:Enabled", "false"), new("Timers:X", "1")]
                :
                [
                    new("ScalableTimers:$schema", "timers.json"),
                    new("ScalableTimers:Later:Option", "1"),
                    new("ScalableTimers:TransactionPhases:LockAcquisition", "00:00:01"),
                    new("ScalableTimers:resolution", " 00:00:00.020 "),
                    new("ScalableTimers:Driver", "Timer "),
                ]);
            silo.AddScalableTimers();
        }).Guarded("the silos start");

        Assert.Contains("sets scalabelTimers, ScalableTimer, which", Warning(logs[0]), StringComparison.Ordinal);
        Assert.Contains(
            "sets ScalableTimers:$schema, ScalableTimers:Later:Option, "
                + "ScalableTimers:TransactionPhases:LockAcquisition, which",
            Warning(logs[1]),
            StringComparison.Ordinal);
        Assert.Contains("Known are ScalableTimers:Enabled, ", Warning(logs[1]), StringComparison.Ordinal);
        Assert.Equal(TimeSpan.FromMilliseconds(20), cluster.Silo(1).Timers().Resolution());
        Assert.Equal(TimerServiceDriver.Timer, cluster.Silo(1).Timers().Driver.Kind);
        await cluster.StopAllSilosAsync();

        static string Warning(InMemoryLogBuffer log) => Assert.Single(
            log.AllEntries,
            static entry => entry.Category == "ScalableTimers.Orleans.StartReport" && entry.EventId.Id == 4).Message;
    }

    [Fact]
    public void Options_SetInCodeToo_ConfigurationWins()
    {
        using var host = Silo(
            ("Resolution", "00:00:00.020"),
            ("PromptResponseTimeouts", "false"),
            ("TransactionPhases:LockAcquisition", "00:00:03"),
            ("TransactionPhases:UseFastRecovery", "true"));

        Assert.Equal(TimeSpan.FromMilliseconds(20), host.Services.GetRequiredService<TimerService>().Resolution());
        Assert.False(host.Services.GetRequiredService<IOptions<OrleansTimerOptions>>().Value.PromptResponseTimeouts);
        var states = host.Services.GetRequiredService<IOptions<TransactionalStateOptions>>().Value;
        Assert.Equal((3, 2), (states.LockAcquireTimeout.TotalSeconds, states.PrepareTimeout.TotalSeconds));
        Assert.Empty(ConfiguredKeys.Unknown(host.Services));
    }

    [Theory]
    [InlineData("Enabled", false)]
    [InlineData("DriveClocks", true)]
    public void Clocks_TurnedOff_AreTheSystemClock(string key, bool isRetryOurs)
    {
        using var host = Silo((key, "false"));

        foreach (var part in (string[])
            [TimeProviderNames.Grains, TransactionTimeProviderNames.Transactions, KeyedClocks.Reminders])
        {
            Assert.Same(TimeProvider.System, host.Services.GetRequiredKeyedService<TimeProvider>(part));
        }

        Assert.Equal(
            isRetryOurs ? ConfirmationRetry.Default : new TransactionalStateOptions().ConfirmationRetryDelay,
            host.Services.GetRequiredService<IOptions<TransactionalStateOptions>>().Value.ConfirmationRetryDelay);
    }

    [Fact]
    public void NamedOptions_AreNotConfigured()
    {
        using var host = Silo(("Resolution", "00:00:00.020"));

        var named = host.Services.GetRequiredService<IOptionsMonitor<TimerServiceOptions>>().Get("other");

        Assert.Null(named.Name);
        Assert.Equal(new TimerServiceOptions().Resolution, named.Resolution);
    }

    private static IHost Silo(params (string Key, string? Value)[] section)
    {
        var builder = TestHosts.SiloBuilder(static silo => silo
            .UseTransactions()
            .ConfigureTransactionPhases(static phases => phases.LockAcquisition = TimeSpan.FromSeconds(7))
            .AddScalableTimers(static options => options.Resolution = TimeSpan.FromMilliseconds(5))
            .Configure<OrleansTimerOptions>(static options => options.PromptResponseTimeouts = true));
        builder.Configuration.AddInMemoryCollection(section.Select(static setting =>
            KeyValuePair.Create($"ScalableTimers:{setting.Key}".TrimEnd(':'), setting.Value)));
        return builder.Build();
    }
}
