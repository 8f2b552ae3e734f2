using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using ScalableTimers;
using ScalableTimers.Testing;

namespace Orleans.Timers.Scalable.Tests;

public sealed class ScalableTimersClientBuilderExtensionsTests(TwoSilos silos)
{
    [Theory]
    [InlineData(OptionsOverload.None)]
    [InlineData(OptionsOverload.Action)]
    [InlineData(OptionsOverload.Builder)]
    public void AddScalableTimers_ByAnyOverload_RegistersAServiceWithTheOptions(OptionsOverload overload)
    {
        using var host = TestHosts.Client(client =>
            client.AddScalableTimers(overload, static options => options.Resolution = TimeSpan.FromMilliseconds(123)));

        Assert.Equal(TimeSpan.FromMilliseconds(123), host.Services.GetRequiredService<TimerService>().Resolution());
        Assert.Single(host.Services.GetServices<IHostedService>().OfType<TimerServiceHost>());
    }

    [Fact]
    public void AddScalableTimers_Twice_RegistersOnceAndConfiguresTwice()
    {
        using var host = TestHosts.Client(static client => client
            .AddScalableTimers(static options => options.Resolution = TimeSpan.FromMilliseconds(20))
            .AddScalableTimers(static options => options.TimeoutTokenBucket = TimeSpan.FromSeconds(2))
            .AddScalableTimers());

        Assert.Single(host.Services.GetServices<TimerService>());
        Assert.Single(host.Services.GetServices<IHostedService>().OfType<TimerServiceHost>());
        Assert.Single(
            host.Services.GetServices<IConfigurationValidator>().OfType<ScalableTimerConfigurationValidator>());
        var options = host.Services.GetRequiredService<IOptions<ScalableTimerOptions>>().Value;
        Assert.Equal(
            (TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(2)), (options.Resolution, options.TimeoutTokenBucket));
    }

    [Fact]
    public void AddScalableTimers_Once_AddsNoCallFilterAndNoClockButThatOfMessaging()
    {
        var stock = TestHosts.ClientServices(static _ => { });
        var scalable = TestHosts.ClientServices(static client => client.AddScalableTimers());

        Assert.Equal(
            stock.Where(IsFilterOrClock).Select(static service => service.ServiceType),
            scalable.Where(IsFilterOrClock)
                .Where(static service => !IsOfMessaging(service))
                .Select(static service => service.ServiceType));
        Assert.Single(scalable, IsOfMessaging);

        static bool IsOfMessaging(ServiceDescriptor service) =>
            service.IsKeyedService && TimeProviderNames.Messaging.Equals(service.ServiceKey);
    }

    [Fact]
    public void AddScalableTimers_ArgumentIsNull_Throws()
    {
        _ = TestHosts.ClientServices(static client =>
        {
            Action<ScalableTimerOptions> noAction = null!;
            Action<OptionsBuilder<ScalableTimerOptions>> noBuilderAction = null!;
            Assert.Throws<ArgumentNullException>("configureOptions", () => client.AddScalableTimers(noAction));
            Assert.Throws<ArgumentNullException>("configureOptions", () => client.AddScalableTimers(noBuilderAction));
        });
        Assert.Throws<ArgumentNullException>("builder", static () => ((IClientBuilder)null!).AddScalableTimers());
    }

    [Theory]
    [MemberData(nameof(OptionsOverloads.WithEachOption), MemberType = typeof(OptionsOverloads))]
    public async Task Start_OptionOutOfItsRange_FailsNamingPropertyValueAndRange(
        OptionsOverload overload, string property)
    {
        var invalid = InvalidOption.Of(property);
        using var host = TestHosts.Client(client => client.AddScalableTimers(overload, invalid.Set));

        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => host.StartAsync(TestContext.Current.CancellationToken));

        Assert.All(invalid.Told, told => Assert.Contains(told, error.Message, StringComparison.Ordinal));
    }

    [Fact]
    public void AddScalableTimers_ClientHasAFakeClock_TheServiceKeepsTimeByIt()
    {
        var clock = new ManualTimeProvider();
        using var host = TestHosts.Client(client =>
        {
            client.Services.AddSingleton<TimeProvider>(clock);
            client.AddScalableTimers();
        });
        var delay = host.Services.GetRequiredService<TimerService>()
            .Delay(TimeSpan.FromHours(1), TestContext.Current.CancellationToken);

        clock.Advance(TimeSpan.FromHours(1) - TimeSpan.FromTicks(1));
        Assert.False(delay.IsCompleted);
        clock.Advance(TimeSpan.FromTicks(1));
        Assert.True(delay.IsCompletedSuccessfully);
    }

    [Fact]
    public async Task AddScalableTimers_ClientStops_DelaysEnd()
    {
        using var host = TestHosts.Client(static client => client.AddScalableTimers());
        var delay = host.Services.GetRequiredService<TimerService>()
            .TryDelay(TimeSpan.FromHours(1), CancellationToken.None)
            .AsTask();

        await host.Services.GetServices<IHostedService>()
            .OfType<TimerServiceHost>()
            .Single()
            .StopAsync(CancellationToken.None);

        Assert.False(await delay.Guarded("the delay of a stopped client ends"));
    }

    [Fact]
    public async Task TimerService_OfAStartedClient_RunsAndIsTheClientsOwn()
    {
        var timers = silos.Cluster.Client.ServiceProvider.GetRequiredService<TimerService>();

        Assert.NotSame(silos.First.ServiceProvider.GetRequiredService<TimerService>(), timers);
        Assert.NotSame(silos.Second.ServiceProvider.GetRequiredService<TimerService>(), timers);
        Assert.True(
            await timers.TryDelay(TimeSpan.FromMilliseconds(20))
                .AsTask()
                .Guarded("a delay of the client's service ends"));
    }

    private static bool IsFilterOrClock(ServiceDescriptor service) =>
        service.ServiceType == typeof(IIncomingGrainCallFilter)
        || service.ServiceType == typeof(IOutgoingGrainCallFilter)
        || service.ServiceType == typeof(TimeProvider);
}
