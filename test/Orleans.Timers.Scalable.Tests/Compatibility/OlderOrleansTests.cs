using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.TestingHost;
using Orleans.TestingHost.Logging;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// What a version of Orleans lacks is left to Orleans, and the log says so. The versions themselves are older than the
/// oldest supported, so types of this one are hidden.
/// </summary>
public sealed class OlderOrleansTests
{
    /// <summary>As in 10.0. The first name alone, in 10.1 to 10.2.1, is there.</summary>
    private static readonly string[] s_missing =
    [
        "GrainLifecycleEvents", "TimeProviderNames", "ReminderTimeProviderNames", "TransactionTimeProviderNames",
    ];

    [Fact]
    public async Task Silo_OrleansHasNoLifecycleEventsAndNoKeys_RunsWithoutThemAndSaysSo()
    {
        var told = await new OrleansWithout(s_missing).Run(RunSilo);

        Assert.Equal("True", told["a delay ends"]);
        Assert.Equal("True", told["the token of a grain that asks early ends with it"]);
        Assert.Equal("True", told["the token of a grain that asks late ends with it"]);
        Assert.Contains("has no grain lifecycle events", told["warnings"], StringComparison.Ordinal);
        var line = told["start"];
        Assert.Contains("Clocks driven: none", line, StringComparison.Ordinal);
        Assert.Contains(
            "unknown to this version of Orleans: Orleans.Grains, Orleans.Transactions, Orleans.Reminders",
            line,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Silo_NothingIsMissing_SaysNothingOfIt()
    {
        var told = await new OrleansWithout().Run(RunSilo);

        Assert.Equal("True", told["the token of a grain that asks late ends with it"]);
        Assert.Equal("", told["warnings"]);
        Assert.Contains("unknown to this version of Orleans: none", told["start"], StringComparison.Ordinal);
    }

    /// <summary>Called in the other Orleans, so it returns nothing of Orleans' or the plugin's types.</summary>
    private static async Task<Dictionary<string, string>> RunSilo()
    {
        var log = new InMemoryLogBuffer();
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 1);
        builder.Options.ConfigureFileLogging = false;
        builder.Options.InitializeClientOnDeploy = false;
        builder.ConfigureSilo((_, silo) =>
        {
            silo.Services.AddLogging(logging => logging.AddProvider(new InMemoryLoggerProvider(log)));
            silo.UseTransactions().UseInMemoryReminderService().AddScalableTimers();
        });
        await using var cluster = builder.Build();
        await cluster.DeployAsync().Guarded("the silo starts");
        var told = new Dictionary<string, string>();
        var silo = cluster.Silos[0];

        var waiting = silo.NewGrain();
        await waiting.Run(static async self => await self.Delays.Delay(TimeSpan.FromMilliseconds(5)))
            .Guarded("a delay ends");
        told["a delay ends"] = "True";
        told["the token of a grain that asks early ends with it"] =
            await EndsWithTheGrain(waiting, static self => self.Delays);
        told["the token of a grain that asks late ends with it"] = await EndsWithTheGrain(
            silo.NewGrain(),
            static self => self.Services.CreateScope().ServiceProvider.GetRequiredService<IGrainDelay>());

        told["warnings"] = Messages(log, LogLevel.Warning);
        told["start"] = Messages(log, LogLevel.Information);
        return told;

        async Task<string> EndsWithTheGrain(IScriptedGrain grain, Func<ScriptableGrain, IGrainDelay> delays)
        {
            var token = await grain.Get(self => delays(self).DeactivationToken);
            var before = token.IsCancellationRequested;
            await cluster.DeactivateAsync(grain).Guarded("the grain deactivates");
            await Eventually.True(() => token.IsCancellationRequested, "the token ends");
            return (!before).ToString();
        }
    }

    private static string Messages(InMemoryLogBuffer log, LogLevel level) => string.Join(
        '\n',
        log.AllEntries
            .Where(entry => entry.LogLevel == level
                && entry.Category.StartsWith(typeof(ActivationDelays).Namespace!, StringComparison.Ordinal))
            .Select(static entry => entry.Message));
}
