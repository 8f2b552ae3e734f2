using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Internal;
using Orleans.Timers.Scalable.Clocks;
using Orleans.Timers.Scalable.Transactions.Waits;
using Orleans.Transactions;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>What the configuration section ScalableTimers changes, regardless of the code.</summary>
public sealed class ConfiguredSilosTests
{
    [Theory]
    [InlineData("Resolutoin", "00:00:00.020", "ScalableTimers:Resolutoin")]
    [InlineData("Enabled", "fales", "ScalableTimers:Enabled")]
    [InlineData("Resolution", "00:01:00", "TimerServiceOptions.Resolution")]
    [InlineData("Enabled", null, "ScalableTimers:Enabled to one value")]
    [InlineData("Enabled:Really", "false", "ScalableTimers:Enabled to one value")]
    [InlineData("", "false", "ScalableTimers to 'false'")]
    public async Task Start_KeyIsUnknownOrItsValueInvalid_FailsNamingIt(string key, string? value, string named)
    {
        using var host = Silo((key, value));

        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => host.StartAsync(TestContext.Current.CancellationToken));

        Assert.Contains(named, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Options_SetInCodeToo_ConfigurationWins()
    {
        using var host = Silo(("Resolution", "00:00:00.020"), ("PromptResponseTimeouts", "false"));

        Assert.Equal(TimeSpan.FromMilliseconds(20), host.Services.GetRequiredService<TimerService>().Resolution());
        Assert.False(host.Services.GetRequiredService<IOptions<OrleansTimerOptions>>().Value.PromptResponseTimeouts);
    }

    [Theory]
    [InlineData("Enabled")]
    [InlineData("DriveClocks")]
    public void Clocks_TurnedOff_AreTheSystemClock(string key)
    {
        using var host = Silo((key, "false"));

        foreach (var part in (string[])
            [TimeProviderNames.Grains, TransactionTimeProviderNames.Transactions, KeyedClocks.Reminders])
        {
            Assert.Same(TimeProvider.System, host.Services.GetRequiredKeyedService<TimeProvider>(part));
        }
    }

    [Theory]
    [InlineData("true", true)]
    [InlineData("false", false)]
    public void Transactions_EnabledOrNot_UseOurTimersOrOrleansOwn(string isEnabled, bool isOurs)
    {
        using var host = Silo(("Enabled", isEnabled));

        Assert.Equal(isOurs, host.Services.GetRequiredService<ITimerManager>() is ScalableTimerManager);
        Assert.Equal(
            isOurs ? ConfirmationRetry.Default : new TransactionalStateOptions().ConfirmationRetryDelay,
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
            .AddScalableTimers(static options => options.Resolution = TimeSpan.FromMilliseconds(5))
            .Configure<OrleansTimerOptions>(static options => options.PromptResponseTimeouts = true));
        builder.Configuration.AddInMemoryCollection(section.Select(static setting =>
            KeyValuePair.Create($"ScalableTimers:{setting.Key}".TrimEnd(':'), setting.Value)));
        return builder.Build();
    }
}
