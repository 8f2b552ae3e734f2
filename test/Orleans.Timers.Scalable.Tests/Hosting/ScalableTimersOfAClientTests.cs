using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

public sealed class ScalableTimersOfAClientTests
{
    [Fact]
    public void AddScalableTimers_Twice_RegistersOnceAndConfiguresTwice()
    {
        using var host = TestHosts.Client(static client => client
            .AddScalableTimers(static options => options.Resolution = TimeSpan.FromMilliseconds(20))
            .AddScalableTimers(static options => options.TimeoutTokenBucket = TimeSpan.FromSeconds(2))
            .AddScalableTimers());

        Assert.Single(host.Services.GetServices<TimerService>());
        Assert.Single(host.Services.GetServices<IHostedService>().OfType<TimerServiceHost>());
        Assert.Single(host.Services.GetServices<IConfigurationValidator>()
            .OfType<OptionErrors.Validator<TimerServiceOptions>>());
        Assert.Equal("client", host.Services.GetRequiredService<TimerService>().Tags[0].Value);
        var options = host.Services.GetRequiredService<IOptions<TimerServiceOptions>>().Value;
        Assert.Equal(
            (TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(2)), (options.Resolution, options.TimeoutTokenBucket));
    }

    [Fact]
    public void AddScalableTimers_Once_AddsNoCallFilterAndOnlyTheMessagingClock()
    {
        var stock = TestHosts.ClientServices(static _ => { });
        var scalable = TestHosts.ClientServices(static client => client.AddScalableTimers());

        Assert.Equal(
            stock.Where(IsFilterOrClock).Select(static service => service.ServiceType),
            scalable.Where(IsFilterOrClock)
                .Where(static service => !IsOfMessaging(service) && !IsOriginal(service))
                .Select(static service => service.ServiceType));
        Assert.Single(scalable, IsOfMessaging);

        static bool IsOfMessaging(ServiceDescriptor service) =>
            service.IsKeyedService && TimeProviderNames.Messaging.Equals(service.ServiceKey);

        // The decorated clock, under a key that nobody else has.
        static bool IsOriginal(ServiceDescriptor service) => service.ServiceKey?.GetType() == typeof(object);
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
        Assert.Same(clock, host.Services.GetRequiredKeyedService<TimeProvider>(TimeProviderNames.Messaging));
        var delay = host.Services.GetRequiredService<TimerService>()
            .Delay(TimeSpan.FromHours(1), TestContext.Current.CancellationToken);

        clock.Advance(TimeSpan.FromHours(1) - TimeSpan.FromTicks(1));
        Assert.False(delay.IsCompleted);
        clock.Advance(TimeSpan.FromTicks(1));
        Assert.True(delay.IsCompletedSuccessfully);
    }

    private static bool IsFilterOrClock(ServiceDescriptor service) =>
        service.ServiceType == typeof(IIncomingGrainCallFilter)
        || service.ServiceType == typeof(IOutgoingGrainCallFilter)
        || service.ServiceType == typeof(TimeProvider);
}
