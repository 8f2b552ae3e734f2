using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.TestingHost.Logging;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

public sealed class TransactionPhaseOptionsTests
{
    public static TheoryData<string> Properties { get; } =
        [.. typeof(TransactionPhaseOptions).GetProperties().Select(static property => property.Name)];

    [Theory]
    [MemberData(nameof(Properties))]
    public void Validate_OutOfRange_NamesPropertyValueAndRange(string property)
    {
        foreach (
            var wrong in (TimeSpan[])
            [
                TimeSpan.Zero,
                TimeSpan.FromTicks(1),
                TimeSpan.FromSeconds(-1),
                Timeout.InfiniteTimeSpan,
                TimeSpan.FromDays(1.5),
                TimeSpan.MaxValue
            ])
        {
            var error = Refused(
                silo => silo.UseTransactions().ConfigureTransactionPhases(phases => Set(phases, property, wrong)));

            Assert.Contains($"TransactionPhaseOptions.{property} is {wrong}", error, StringComparison.Ordinal);
            Assert.Contains("between 00:00:00.0010000 and 1.00:00:00", error, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("Response", 2, "Prepare", 2)]
    [InlineData("Commit", 20, "Prepare", null)]
    [InlineData("Commit", 1, "Prepare", 1)]
    [InlineData("Commit", 30, "Response", null)]
    [InlineData("Confirm", 31, "Response", null)]
    [InlineData("Abort", 3, "Response", 3, "Prepare", 1)]
    [InlineData("Response", 5, "Prepare", null)]
    public void Validate_Contradiction_NamesBothProperties(
        string one, int seconds, string other, int? otherSeconds, string? third = null, int? thirdSeconds = null)
    {
        var error = Refused(silo => silo.UseTransactions().ConfigureTransactionPhases(phases =>
        {
            Set(phases, one, TimeSpan.FromSeconds(seconds));
            Set(phases, other, otherSeconds is { } set ? TimeSpan.FromSeconds(set) : null);
            if (third is not null)
            {
                Set(phases, third, TimeSpan.FromSeconds(thirdSeconds!.Value));
            }
        }));

        Assert.Contains($"TransactionPhaseOptions.{one}", error, StringComparison.Ordinal);
        Assert.Contains($"TransactionPhaseOptions.{other}", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Start_OptionsContradictEachOther_Fails()
    {
        using var host = TestHosts.Silo(
            static silo =>
                silo.UseTransactions().ConfigureTransactionPhases(
                    static phases => phases.Response = TimeSpan.FromSeconds(1)));
        await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => host.StartAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public void Validate_OrleansOwnOptionsContradictEachOther_Warns()
    {
        var log = Validate(static silo => silo
            .UseTransactions()
            .Configure<SiloMessagingOptions>(static options => options.ResponseTimeout = TimeSpan.FromSeconds(10))
            .MeasureTransactionPhases());
        Assert.Contains("TransactionPhaseOptions.Response", log, StringComparison.Ordinal);
    }

    [Fact]
    public void Validate_OwnValidationFails_IsRefused()
    {
        var error = Refused(static silo => silo.UseTransactions().ConfigureTransactionPhases(
            static (OptionsBuilder<TransactionPhaseOptions> options) =>
            options.Validate(static phases => phases.Deadline is not null, "A deadline is wanted.")));
        Assert.Contains("A deadline is wanted.", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1, null, true)]
    [InlineData(1, 1, false)]
    [InlineData(1, 2, true)]
    [InlineData(10, null, false)]
    [InlineData(null, null, false)]
    [InlineData(null, 8, false)]
    [InlineData(null, 9, true)]
    public void Validate_LockHoldIsShorterThanTransactionsMayTake_Warns(int? lockHold, int? deadline, bool isWarned)
    {
        var log = Validate(silo => silo.UseTransactions().ConfigureTransactionPhases(phases =>
        {
            phases.LockHold = lockHold is { } hold ? TimeSpan.FromSeconds(hold) : null;
            phases.Deadline = deadline is { } limit ? TimeSpan.FromSeconds(limit) : null;
        }));

        Assert.Equal(isWarned, log.Contains("TransactionPhaseOptions.LockHold", StringComparison.Ordinal));
    }

    [Fact]
    public void Validate_NobodyHasSetADeadline_DoesNotSpeakOfOneThatIsSet()
    {
        var log = Validate(static silo =>
            silo.UseTransactions().ConfigureTransactionPhases(static phases => phases.UseFastRecovery()));
        Assert.Contains("TransactionPhaseOptions.Deadline is not set", log, StringComparison.Ordinal);
        Assert.DoesNotContain("TransactionPhaseOptions.Deadline (", log, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Deadline", null)]
    [InlineData("Start", null)]
    [InlineData("Commit", null)]
    [InlineData("Abort", null)]
    [InlineData("Response", null)]
    [InlineData("LockAcquisition", "only a silo")]
    [InlineData("LockHold", "only a silo")]
    [InlineData("Prepare", "only a silo")]
    [InlineData("Confirm", "only a silo")]
    [InlineData("ConfirmRetry", "only a silo")]
    [InlineData("Ping", "only a silo")]
    public void ConfigureOfAClient_EachBound_IsTakenOrNamedInAnError(string property, string? error)
    {
        using var host = TestHosts.Client(client =>
            client.ConfigureTransactionPhases(phases => Set(phases, property, TimeSpan.FromSeconds(3))));

        if (error is null)
        {
            ClientValidator(host).ValidateConfiguration();
        }
        else
        {
            var refused = Assert.Throws<OrleansConfigurationException>(ClientValidator(host).ValidateConfiguration);
            Assert.Contains(
                $"TransactionPhaseOptions.{property} (00:00:03) is set on a client",
                refused.Message,
                StringComparison.Ordinal);
            Assert.Contains(error, refused.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void ConfigureOfAClient_ResponseAndCommit_AreCheckedAgainstEachOther()
    {
        using var host = TestHosts.Client(static client => client.ConfigureTransactionPhases(static phases =>
        {
            phases.Response = TimeSpan.FromSeconds(2);
            phases.Commit = TimeSpan.FromSeconds(2);
        }));
        var refused = Assert.Throws<OrleansConfigurationException>(ClientValidator(host).ValidateConfiguration);
        Assert.Contains("not shorter than TransactionPhaseOptions.Response", refused.Message, StringComparison.Ordinal);
        Assert.Equal(
            TimeSpan.FromSeconds(2),
            host.Services.GetRequiredService<IOptions<ClientMessagingOptions>>().Value.ResponseTimeout);
    }

    [Fact]
    public void ConfigureOfAClient_BeforeUseTransactions_IsRefused()
    {
        using var host = TestHosts.Client(static client => client.MeasureTransactionPhases().UseTransactions());
        var refused = Assert.Throws<OrleansConfigurationException>(ClientValidator(host).ValidateConfiguration);
        Assert.Contains("after UseTransactions", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null, null, 10)]
    [InlineData(null, 5, 5)]
    [InlineData(null, 30, 30)]
    [InlineData(null, 60, 60)]
    [InlineData(30, null, 30)]
    public void ConfirmRetry_WithScalableTimers_IsShorterUnlessSet(int? phase, int? orleans, int seconds)
    {
        using var host = TestHosts.Silo(silo =>
        {
            // An application may configure this before or after; before is what a default must not overrule.
            if (orleans is { } own)
            {
                silo.Configure<TransactionalStateOptions>(
                    options => options.ConfirmationRetryDelay = TimeSpan.FromSeconds(own));
            }

            silo.UseTransactions().AddScalableTimers();
            if (phase is { } bound)
            {
                silo.ConfigureTransactionPhases(phases => phases.ConfirmRetry = TimeSpan.FromSeconds(bound));
            }
        });
        Assert.Equal(
            TimeSpan.FromSeconds(seconds),
            host.Services.GetRequiredService<IOptions<TransactionalStateOptions>>().Value.ConfirmationRetryDelay);
    }

    // Compiles only if one of the two overloads is preferred.
    [Fact]
    public void Configure_LambdaThatFitsBothOverloads_SetsOptions()
    {
        using var host = TestHosts.Silo(static silo =>
        {
            silo.UseTransactions();
            silo.ConfigureTransactionPhases(static _ => { });
            silo.AddScalableTimers(static _ => { });
            silo.AddCallDeadlines(static _ => { });
        });
        Validator(host).ValidateConfiguration();
    }

    [Fact]
    public void UseFastRecovery_Alone_IsValidAndReachesOrleans()
    {
        using var host = TestHosts.Silo(
            static silo =>
                silo.UseTransactions().ConfigureTransactionPhases(static phases => phases.UseFastRecovery()));
        Validator(host).ValidateConfiguration();

        var options = host.Services.GetRequiredService<IOptions<TransactionalStateOptions>>().Value;
        Assert.Equal(
            (1.0, 1.5, 2.0, 2.0, 1.0),
            (
                options.LockTimeout.TotalSeconds,
                options.LockAcquireTimeout.TotalSeconds,
                options.PrepareTimeout.TotalSeconds,
                options.RemoteTransactionPingFrequency.TotalSeconds,
                options.ConfirmationRetryDelay.TotalSeconds));
        Assert.Equal(
            TimeSpan.FromSeconds(5),
            host.Services.GetRequiredService<IOptions<SiloMessagingOptions>>().Value.ResponseTimeout);
    }

    [Fact]
    public void Configure_NothingIsSet_LeavesOrleansOptionsAlone()
    {
        using var host = TestHosts.Silo(static silo => silo
            .UseTransactions()
            .Configure<TransactionalStateOptions>(static options => options.LockTimeout = TimeSpan.FromSeconds(3))
            .ConfigureTransactionPhases(static (OptionsBuilder<TransactionPhaseOptions> _) => { }));

        var options = host.Services.GetRequiredService<IOptions<TransactionalStateOptions>>().Value;
        Assert.Equal((3.0, 10.0), (options.LockTimeout.TotalSeconds, options.LockAcquireTimeout.TotalSeconds));
    }

    [Fact]
    public void Configure_Twice_RegistersOnceAndConfiguresTwice()
    {
        static ISiloBuilder Once(ISiloBuilder silo) =>
            silo.UseTransactions()
                .ConfigureTransactionPhases(static phases => phases.Prepare = TimeSpan.FromSeconds(3))
                .MeasureTransactionPhases();

        var once = TestHosts.SiloServices(static silo => Once(silo));
        using var host = TestHosts.Silo(
            static silo =>
                Once(silo)
                    .MeasureTransactionPhases()
                    .ConfigureTransactionPhases(static phases => phases.LockHold = TimeSpan.FromSeconds(10)));
        var twice = TestHosts.SiloServices(
            static silo => Once(silo).MeasureTransactionPhases().MeasureTransactionPhases());

        Assert.Equal(once.Count, twice.Count);
        var phases = host.Services.GetRequiredService<IOptions<TransactionPhaseOptions>>().Value;
        Assert.Equal((3.0, 10.0), (phases.Prepare!.Value.TotalSeconds, phases.LockHold!.Value.TotalSeconds));
        Assert.IsType<PhasedTransactionAgent>(host.Services.GetRequiredService<ITransactionAgent>());
    }

    [Fact]
    public void Configure_WithoutUseTransactions_UsesThem()
    {
        using var host = TestHosts.Silo(static silo => silo.MeasureTransactionPhases());
        Validator(host).ValidateConfiguration();
        Assert.NotNull(host.Services.GetService<ITransactionClient>());
    }

    [Fact]
    public void Configure_BeforeUseTransactions_IsRefused() =>
        Assert.Contains(
            "after UseTransactions",
            Refused(static silo => silo.MeasureTransactionPhases().UseTransactions()),
            StringComparison.Ordinal);

    [Fact]
    public void Configure_AddsNoCallFilter()
    {
        var stock = TestHosts.SiloServices(static silo => silo.UseTransactions());
        var phased = TestHosts.SiloServices(
            static silo =>
                silo.UseTransactions()
                    .ConfigureTransactionPhases(static phases => phases.UseFastRecovery())
                    .MeasureTransactionPhases());

        Assert.Equal(Filters(stock), Filters(phased));

        static int Filters(IServiceCollection services) => services.Count(static service =>
            service.ServiceType == typeof(IIncomingGrainCallFilter)
                || service.ServiceType == typeof(IOutgoingGrainCallFilter));
    }

    [Fact]
    public void Configure_ArgumentIsNull_Throws() => TestHosts.SiloBuilder(static silo =>
    {
        Action<TransactionPhaseOptions> noAction = null!;
        Action<OptionsBuilder<TransactionPhaseOptions>> noBuilderAction = null!;
        Assert.Throws<ArgumentNullException>("configureOptions", () => silo.ConfigureTransactionPhases(noAction));
        Assert.Throws<ArgumentNullException>(
            "configureOptions", () => silo.ConfigureTransactionPhases(noBuilderAction));
        Assert.Throws<ArgumentNullException>("builder", static () => ((ISiloBuilder)null!).MeasureTransactionPhases());
    });

    private static void Set(TransactionPhaseOptions phases, string property, TimeSpan? value) =>
        typeof(TransactionPhaseOptions).GetProperty(property)!.SetValue(phases, value);

    private static TransactionPhaseOptionsValidator Validator(IHost host) =>
        Assert.Single(host.Services.GetServices<IConfigurationValidator>().OfType<TransactionPhaseOptionsValidator>());

    private static ClientTransactionPhaseOptionsValidator ClientValidator(IHost host) =>
        Assert.Single(
            host.Services.GetServices<IConfigurationValidator>().OfType<ClientTransactionPhaseOptionsValidator>());

    private static string Refused(Action<ISiloBuilder> configure)
    {
        using var host = TestHosts.Silo(configure);
        return Assert.Throws<OrleansConfigurationException>(Validator(host).ValidateConfiguration).Message;
    }

    private static string Validate(Action<ISiloBuilder> configure)
    {
        var log = new InMemoryLogBuffer();
        using var host = TestHosts.Silo(silo =>
        {
            silo.Services.AddLogging(logging => logging.AddProvider(new InMemoryLoggerProvider(log)));
            configure(silo);
        });
        Validator(host).ValidateConfiguration();
        return string.Join('\n', log.AllEntries.Select(static entry => entry.ToString()));
    }
}
