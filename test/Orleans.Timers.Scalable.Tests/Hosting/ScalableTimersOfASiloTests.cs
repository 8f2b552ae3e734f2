using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.TestingHost;
using Orleans.Timers.Scalable.Grains;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public sealed class ScalableTimersOfASiloTests(TwoSilos silos)
{
    [Fact]
    public void AddScalableTimers_WithOptions_RegistersServicesWithThem()
    {
        using var host = TestHosts.Silo(static silo => silo.AddScalableTimers(static options =>
        {
            options.Resolution = TimeSpan.FromMilliseconds(123);
            options.Name = "mine";
        }));

        var timers = host.Services.GetRequiredService<TimerService>();
        Assert.Equal(TimeSpan.FromMilliseconds(123), timers.Resolution());
        Assert.Equal("mine", timers.Tags[0].Value);
        Assert.Equal(silos.First.Name, silos.First.Timers().Tags[0].Value);
        Assert.Single(host.Services.GetServices<IHostedService>().OfType<TimerServiceHost>());
        Assert.Single(
            host.Services.GetServices<ILifecycleParticipant<ISiloLifecycle>>().OfType<ActivationDelays>());
    }

    [Fact]
    public void AddScalableTimers_Twice_RegistersOnceAndConfiguresTwice()
    {
        // Counted in one builder: two builders have differed by one service while other tests ran.
        List<(string Type, int Count)> once = [];
        var twice = TestHosts.SiloBuilder(silo =>
        {
            silo.AddScalableTimers(static options => options.Resolution = TimeSpan.FromMilliseconds(20));
            once = Counts(silo.Services);
            silo.AddScalableTimers(static options => options.TimeoutTokenBucket = TimeSpan.FromSeconds(2));
        });

        Assert.Equal(once, Counts(twice.Services));
        using var host = twice.Build();
        var options = host.Services.GetRequiredService<IOptions<TimerServiceOptions>>().Value;
        Assert.Equal(
            (TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(2)), (options.Resolution, options.TimeoutTokenBucket));
    }

    [Fact]
    public void AddScalableTimers_WithTransactionPhases_AddsNoCallFilter()
    {
        var stock = TestHosts.SiloServices(static silo => silo.UseTransactions());
        var scalable = TestHosts.SiloServices(static silo => silo
            .AddScalableTimers()
            .UseTransactions()
            .ConfigureTransactionPhases(static phases => phases.UseFastRecovery = true));

        Assert.Equal(CallFilters(stock), CallFilters(scalable));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task AddScalableTimers_AlsoOnTheHost_RegistersOnceAndFailsAsASilo(bool bareFirst)
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
        Assert.Contains("TimerServiceOptions.Resolution", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Start_ClockHasTimersButNoTimestamps_FailsNamingTheClock()
    {
        using var host = TestHosts.Silo(static silo => silo
            .AddScalableTimers()
            .Services.AddKeyedSingleton<TimeProvider>(TimeProviderNames.Grains, new ClockWithoutTimestamps()));
        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => host.StartAsync(TestContext.Current.CancellationToken));
        Assert.Contains(nameof(ClockWithoutTimestamps), error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task AddScalableTimers_TwoSilosInOneProcess_GrainsScheduleIntoTheirOwnSilosService()
    {
        Assert.Equal(new TimerServiceOptions().Resolution, silos.First.Timers().Resolution());
        Assert.Equal(TwoSilos.OtherResolution, silos.Second.Timers().Resolution());

        // Enough to stand out from the other timers of the silos.
        const int Delays = 10_000;
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

        static long Pending(InProcessSiloHandle silo) => silo.Timers().GetSnapshot().Pending;
    }

    // Options are configured by each call, so their registrations may grow.
    private static List<(string Type, int Count)> Counts(IServiceCollection services) => services
        .Where(static service => service.ServiceType != typeof(IConfigureOptions<TimerServiceOptions>))
        .CountBy(static service => service.ServiceType.FullName!)
        .Select(static pair => (pair.Key, pair.Value))
        .Order()
        .ToList();

    private static int CallFilters(IServiceCollection services) => services.Count(static service =>
        service.ServiceType == typeof(IIncomingGrainCallFilter)
            || service.ServiceType == typeof(IOutgoingGrainCallFilter));

    /// <summary>A clock whose timers and timestamps would follow different times.</summary>
    private sealed class ClockWithoutTimestamps : TimeProvider
    {
        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            throw new NotSupportedException();
    }
}
