using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.TestingHost;
using Orleans.Timers.Internal;
using Orleans.Timers.Scalable.Tests.Documentation;
using ScalableTimers;
using ScalableTimers.Testing;

namespace Orleans.Timers.Scalable.Tests;

public sealed class ScalableTimersSiloBuilderExtensionsTests(TwoSilos silos)
{
    [Theory]
    [InlineData(OptionsOverload.None)]
    [InlineData(OptionsOverload.Action)]
    [InlineData(OptionsOverload.Builder)]
    public void AddScalableTimers_ByAnyOverload_RegistersServicesWithTheOptions(OptionsOverload overload)
    {
        using var host = TestHosts.Silo(silo =>
            silo.AddScalableTimers(overload, static options => options.Resolution = TimeSpan.FromMilliseconds(123)));

        var timers = host.Services.GetRequiredService<TimerService>();
        Assert.Equal(TimeSpan.FromMilliseconds(123), timers.Resolution());
        Assert.IsType<ScalableTimerManager>(host.Services.GetRequiredService<ITimerManager>());
        Assert.Equal(
            ServiceLifetime.Scoped, RegistrationOf<IGrainDelay>(static silo => silo.AddScalableTimers()).Lifetime);
        Assert.Single(host.Services.GetServices<IHostedService>().OfType<TimerServiceHost>());
        Assert.Single(
            host.Services.GetServices<ILifecycleParticipant<ISiloLifecycle>>().OfType<TimerServiceLifecycle>());
    }

    [Fact]
    public async Task Start_ConfigurationHasAMisspeltKey_FailsNamingIt()
    {
        var builder = TestHosts.SiloBuilder(OrleansSnippets.BindConfiguration);
        builder.Configuration.AddInMemoryCollection(
            [KeyValuePair.Create("ScalableTimers:Resolutoin", (string?)"00:00:00.020")]);
        using var host = builder.Build();

        var error = await Assert.ThrowsAnyAsync<Exception>(
            () => host.StartAsync(TestContext.Current.CancellationToken));

        Assert.Contains("Resolutoin", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void AddScalableTimers_Twice_RegistersOnceAndConfiguresTwice()
    {
        using var host = TestHosts.Silo(static silo => silo
            .AddScalableTimers(static options => options.Resolution = TimeSpan.FromMilliseconds(20))
            .AddScalableTimers(static options => options.TimeoutTokenBucket = TimeSpan.FromSeconds(2))
            .AddScalableTimers());

        Assert.Single(host.Services.GetServices<TimerService>());
        Assert.Single(host.Services.GetServices<ITimerManager>());
        Assert.Single(host.Services.GetServices<ActivationDelays>());
        Assert.Single(host.Services.GetServices<IHostedService>().OfType<TimerServiceHost>());
        Assert.Single(
            host.Services.GetServices<ILifecycleParticipant<ISiloLifecycle>>().OfType<TimerServiceLifecycle>());
        Assert.Single(
            host.Services.GetServices<IConfigurationValidator>().OfType<ScalableTimerConfigurationValidator>());
        var options = host.Services.GetRequiredService<IOptions<ScalableTimerOptions>>().Value;
        Assert.Equal(
            (TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(2)), (options.Resolution, options.TimeoutTokenBucket));
    }

    [Fact]
    public void AddScalableTimers_Twice_AddsNoRegistration()
    {
        var once = TestHosts.SiloServices(static silo => silo.AddScalableTimers());
        var twice = TestHosts.SiloServices(static silo => silo.AddScalableTimers().AddScalableTimers());

        Assert.Equal(Counts(once), Counts(twice));
    }

    [Fact]
    public void AddScalableTimers_Once_AddsNoCallFilter()
    {
        var stock = TestHosts.SiloServices(static _ => { });
        var scalable = TestHosts.SiloServices(static silo => silo.AddScalableTimers());

        Assert.Equal(CallFilters(stock), CallFilters(scalable));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task AddScalableTimers_ServiceIsOnTheBareServicesToo_TheSiloHasOneWithTheSilosErrors(bool bareFirst)
    {
        var builder = Host.CreateEmptyApplicationBuilder(settings: null);
        if (bareFirst)
        {
            builder.Services.AddScalableTimers(static options => options.Resolution = TimeSpan.Zero);
        }

        builder.UseOrleans(static silo => silo.UseLocalhostClustering().AddScalableTimers());
        if (!bareFirst)
        {
            builder.Services.AddScalableTimers(static options => options.Resolution = TimeSpan.Zero);
        }

        Assert.Single(builder.Services, static service => service.ServiceType == typeof(TimerService));
        Assert.Single(builder.Services, static service => service.ImplementationType == typeof(TimerServiceHost));
        using var host = builder.Build();
        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => host.StartAsync(TestContext.Current.CancellationToken));
        Assert.Contains("ScalableTimerOptions.Resolution", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AddScalableTimers_ArgumentIsNull_Throws()
    {
        var silo = TestHosts.SiloBuilder(static silo =>
        {
            Action<ScalableTimerOptions> noAction = null!;
            Action<OptionsBuilder<ScalableTimerOptions>> noBuilderAction = null!;
            Assert.Throws<ArgumentNullException>("configureOptions", () => silo.AddScalableTimers(noAction));
            Assert.Throws<ArgumentNullException>("configureOptions", () => silo.AddScalableTimers(noBuilderAction));
        });
        Assert.Throws<ArgumentNullException>("builder", static () => ((ISiloBuilder)null!).AddScalableTimers());
        Assert.DoesNotContain(silo.Services, static service => service.ServiceType == typeof(TimerService));
    }

    [Theory]
    [MemberData(nameof(OptionsOverloads.WithEachOption), MemberType = typeof(OptionsOverloads))]
    public async Task Start_OptionOutOfItsRange_FailsNamingPropertyValueAndRange(
        OptionsOverload overload, string property)
    {
        var invalid = InvalidOption.Of(property);
        using var host = TestHosts.Silo(silo => silo.AddScalableTimers(overload, invalid.Set));

        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => host.StartAsync(TestContext.Current.CancellationToken));

        Assert.All(invalid.Told, told => Assert.Contains(told, error.Message, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Start_ThreadDriverOnAClockThatIsNotTheSystems_FailsNamingDriver()
    {
        using var host = TestHosts.Silo(static silo =>
        {
            silo.Services.AddKeyedSingleton<TimeProvider>(TimeProviderNames.Grains, new ManualTimeProvider());
            silo.AddScalableTimers(static options => options.Driver = TimerDriverKind.Thread);
        });

        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => host.StartAsync(TestContext.Current.CancellationToken));

        Assert.Contains("ScalableTimerOptions.Driver is Thread", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Start_ClockHasTimersButNoTimestamps_FailsNamingTheClock()
    {
        using var host = TestHosts.Silo(static silo =>
        {
            silo.Services.AddKeyedSingleton<TimeProvider>(TimeProviderNames.Grains, new ClockWithoutTimestamps());
            silo.AddScalableTimers();
        });

        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => host.StartAsync(TestContext.Current.CancellationToken));

        Assert.Contains(nameof(ClockWithoutTimestamps), error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AddScalableTimers_TwoSilosInOneProcess_EachHasAServiceAndOptionsOfItsOwn()
    {
        var first = silos.First.ServiceProvider.GetRequiredService<TimerService>();
        var second = silos.Second.ServiceProvider.GetRequiredService<TimerService>();

        Assert.NotSame(first, second);
        Assert.Equal(new ScalableTimerOptions().Resolution, first.Resolution());
        Assert.Equal(TwoSilos.OtherResolution, second.Resolution());
    }

    [Fact]
    public async Task AddScalableTimers_TwoSilosInOneProcess_GrainsScheduleIntoTheirOwnSilosService()
    {
        // There are so many of them that they stand out from the other timers of the silos.
        const int Delays = 1000;
        foreach (var (silo, other) in new[] { (silos.First, silos.Second), (silos.Second, silos.First) })
        {
            using var cancellation = new CancellationTokenSource();
            var (before, beforeInOther) = (Pending(silo), Pending(other));

            var waits = await silo.NewGrain().BeginWait(async self => await Task.WhenAll(
                Enumerable.Range(0, Delays).Select(
                    _ => self.Delays.Delay(Timeout.InfiniteTimeSpan, cancellation.Token).AsTask())));

            Assert.InRange(Pending(silo) - before, Delays * 9 / 10, Delays * 11 / 10);
            Assert.InRange(Pending(other) - beforeInOther, -Delays / 10, Delays / 10);
            await cancellation.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waits.Guarded("the cancelled delays end"));
        }

        static long Pending(InProcessSiloHandle silo) =>
            silo.ServiceProvider.GetRequiredService<TimerService>().GetSnapshot().Pending;
    }

    private static ServiceDescriptor RegistrationOf<T>(Action<ISiloBuilder> configure) =>
        Assert.Single(TestHosts.SiloServices(configure), static service => service.ServiceType == typeof(T));

    // Options are configured by each call, so their registrations may grow.
    private static List<(string Type, int Count)> Counts(IServiceCollection services) => services
        .Where(static service => service.ServiceType != typeof(IConfigureOptions<ScalableTimerOptions>))
        .CountBy(static service => service.ServiceType.FullName!)
        .Select(static pair => (pair.Key, pair.Value))
        .Order()
        .ToList();

    private static int CallFilters(IServiceCollection services) => services.Count(static service =>
        service.ServiceType == typeof(IIncomingGrainCallFilter)
            || service.ServiceType == typeof(IOutgoingGrainCallFilter));
}
