using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Timers.Scalable.Transactions.Phases;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;

namespace Orleans.Timers.Scalable.Tests;

public sealed class TransactionPhaseOptionsTests
{
    public static TheoryData<string> Properties { get; } =
        [nameof(TransactionPhaseOptions.Deadline), nameof(TransactionPhaseOptions.LockAcquisition)];

    [Theory]
    [MemberData(nameof(Properties))]
    public void Validate_OutOfRange_NamesPropertyValueAndRange(string property)
    {
        TimeSpan[] wrongs =
            [TimeSpan.Zero, TimeSpan.FromTicks(1), Timeout.InfiniteTimeSpan, TimeSpan.FromDays(1.5), TimeSpan.MaxValue];
        foreach (var wrong in wrongs)
        {
            var error = Refused(
                silo => silo.UseTransactions().ConfigureTransactionPhases(phases => Set(phases, property, wrong)));

            Assert.Contains($"TransactionPhaseOptions.{property} is {wrong}", error, StringComparison.Ordinal);
            Assert.Contains("between 00:00:00.0010000 and 1.00:00:00", error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Validate_CustomValidationFails_IsRefused()
    {
        var error = Refused(static silo => silo.UseTransactions().ConfigureTransactionPhases()
            .Services.AddOptions<TransactionPhaseOptions>()
            .Validate(static phases => phases.Deadline is not null, "A deadline is wanted."));
        Assert.Contains("A deadline is wanted.", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null, 3)]
    [InlineData(5, 5)]
    [InlineData(30, 30)]
    public void ConfirmRetry_WithScalableTimers_IsShorterUnlessSet(int? orleans, int seconds)
    {
        using var host = TestHosts.Silo(silo =>
        {
            // An application may configure this before or after us. A default must not overrule what came before.
            if (orleans is { } own)
            {
                silo.Configure<TransactionalStateOptions>(
                    options => options.ConfirmationRetryDelay = TimeSpan.FromSeconds(own));
            }

            silo.UseTransactions().AddScalableTimers();
        });
        Assert.Equal(
            TimeSpan.FromSeconds(seconds),
            host.Services.GetRequiredService<IOptions<TransactionalStateOptions>>().Value.ConfirmationRetryDelay);
    }

    [Fact]
    public void UseFastRecovery_Alone_IsValidAndReachesOrleans()
    {
        using var host = TestHosts.Silo(
            static silo =>
                silo.UseTransactions().ConfigureTransactionPhases(static phases => phases.UseFastRecovery = true));
        Validator(host).ValidateConfiguration();

        var options = host.Services.GetRequiredService<IOptions<TransactionalStateOptions>>().Value;
        Assert.Equal(
            (2.0, 1.5, 2.0, 2.0, 1.0),
            (
                options.LockTimeout.TotalSeconds,
                options.LockAcquireTimeout.TotalSeconds,
                options.PrepareTimeout.TotalSeconds,
                options.RemoteTransactionPingFrequency.TotalSeconds,
                options.ConfirmationRetryDelay.TotalSeconds));
        var messaging = host.Services.GetRequiredService<IOptions<SiloMessagingOptions>>().Value;
        // Seen to fail when it set five seconds for every call.
        Assert.Equal((30.0, false), (messaging.ResponseTimeout.TotalSeconds, messaging.CancelRequestOnTimeout));
    }

    [Fact]
    public void Configure_NothingIsSet_LeavesOrleansOptionsAlone()
    {
        using var host = TestHosts.Silo(static silo => silo
            .UseTransactions()
            .Configure<TransactionalStateOptions>(static options => options.LockTimeout = TimeSpan.FromSeconds(3))
            .ConfigureTransactionPhases());

        var options = host.Services.GetRequiredService<IOptions<TransactionalStateOptions>>().Value;
        Assert.Equal((3.0, 10.0), (options.LockTimeout.TotalSeconds, options.LockAcquireTimeout.TotalSeconds));
    }

    // Seen to fail when AddScalableTimers reads them: a bound that nobody had checked reached transactions.
    [Fact]
    public void Options_SetWithoutConfigureTransactionPhases_HaveNoEffect()
    {
        using var host = TestHosts.Silo(static silo => silo.UseTransactions()
            .AddScalableTimers()
            .Configure<TransactionPhaseOptions>(static phases =>
            {
                phases.UseFastRecovery = true;
                phases.Deadline = TimeSpan.FromSeconds(-5);
            }));

        Assert.Null(new TransactionPhases(host.Services).Bounds.Deadline);
        Assert.Equal(
            TransactionalStateOptions.DefaultLockTimeout,
            host.Services.GetRequiredService<IOptions<TransactionalStateOptions>>().Value.LockTimeout);
    }

    [Fact]
    public void Configure_Twice_RegistersOnceAndConfiguresTwice()
    {
        static ISiloBuilder Once(ISiloBuilder silo) =>
            silo.UseTransactions()
                .ConfigureTransactionPhases(static phases => phases.LockAcquisition = TimeSpan.FromSeconds(3));

        // Counted in one builder: two builders have differed by one service while other tests ran.
        var (once, twice) = (0, 0);
        TestHosts.SiloBuilder(silo =>
        {
            once = Once(silo).Services.Count;
            twice = silo.ConfigureTransactionPhases().Services.Count;
        });
        using var host = TestHosts.Silo(
            static silo =>
                Once(silo).ConfigureTransactionPhases(static phases => phases.Deadline = TimeSpan.FromSeconds(10)));

        Assert.Equal(once, twice);
        var phases = host.Services.GetRequiredService<IOptions<TransactionPhaseOptions>>().Value;
        Assert.Equal((3.0, 10.0), (phases.LockAcquisition!.Value.TotalSeconds, phases.Deadline!.Value.TotalSeconds));
        Assert.IsType<PhasedTransactionAgent>(host.Services.GetRequiredService<ITransactionAgent>());
    }

    [Fact]
    public void Configure_BeforeAnotherStorageFactory_IsRefused() =>
        Assert.Contains(
            nameof(INamedTransactionalStateStorageFactory),
            Refused(static silo => silo.ConfigureTransactionPhases().Services
                .AddTransient<INamedTransactionalStateStorageFactory, NamedTransactionalStateStorageFactory>()),
            StringComparison.Ordinal);

    private static void Set(TransactionPhaseOptions phases, string property, TimeSpan? value) =>
        typeof(TransactionPhaseOptions).GetProperty(property)!.SetValue(phases, value);

    private static TransactionPhaseOptionsValidator Validator(IHost host) =>
        Assert.Single(host.Services.GetServices<IConfigurationValidator>().OfType<TransactionPhaseOptionsValidator>());

    private static string Refused(Action<ISiloBuilder> configure)
    {
        using var host = TestHosts.Silo(configure);
        var validators = host.Services.GetServices<IConfigurationValidator>().ToList();
        return Assert.Throws<OrleansConfigurationException>(
            () => validators.ForEach(static validator => validator.ValidateConfiguration())).Message;
    }
}
