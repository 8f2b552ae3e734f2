using ScalableTimers.Tests.Clock;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace ScalableTimers.Tests;

public class AddScalableTimersTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    [Fact]
    public void Add_Twice_RegistersOnceAndConfiguresTwice()
    {
        var clock = new ManualTimeProvider();
        var services = new ServiceCollection().AddLogging().AddSingleton<TimeProvider>(clock);
        services.AddScalableTimers(static options => options.Resolution = TimeSpan.FromMilliseconds(20));
        services.AddScalableTimers(static options => options.TimeoutTokenBucket = s_second);
        services.AddScalableTimers();

        using var provider = services.BuildServiceProvider();

        Assert.Single(services, static service => service.ServiceType == typeof(TimerService));
        Assert.Single(provider.GetServices<IHostedService>());
        Assert.Single(provider.GetServices<IValidateOptions<TimerServiceOptions>>());
        var options = provider.GetRequiredService<IOptions<TimerServiceOptions>>().Value;
        Assert.Equal((TimeSpan.FromMilliseconds(20), s_second), (options.Resolution, options.TimeoutTokenBucket));
        Assert.Same(provider.GetRequiredService<TimerService>(), provider.GetRequiredService<TimerService>());
    }

    // Seen to fail without the check of IsKeyedService: no service without a key is registered, and the options are not
    // validated when the host starts.
    [Fact]
    public void Add_BesideAServiceWithAKey_RegistersOneWithout()
    {
        using var provider = new ServiceCollection()
            .AddLogging()
            .AddKeyedSingleton("fine", static (_, _) => new TimerService(new(), clock: new ManualTimeProvider()))
            .AddScalableTimers()
            .BuildServiceProvider();

        Assert.NotSame(
            provider.GetRequiredKeyedService<TimerService>("fine"), provider.GetRequiredService<TimerService>());
        Assert.Single(provider.GetServices<IHostedService>());
    }

    [Fact]
    public void Add_ContainerHasNoClock_UsesTheSystems()
    {
        using var provider = new ServiceCollection().AddLogging().AddScalableTimers().BuildServiceProvider();

        Assert.Same(TimeProvider.System, provider.GetRequiredService<TimerService>().Clock.Provider);
        Assert.Null(provider.GetService<TimeProvider>());
    }

    // Seen to hang, as the host did at its start, without the check.
    [Fact]
    public void Add_ClockIsTheServicesOwn_ThrowsNamingTheWayOut()
    {
        using var provider = new ServiceCollection()
            .AddLogging()
            .AddScalableTimers()
            .AddSingleton<TimeProvider>(static services => services.GetRequiredService<TimerService>().TimeProvider)
            .BuildServiceProvider();

        Wait.ForThread(() =>
        {
            for (var i = 0; i < 2; i++)
            {
                var error = Assert.Throws<InvalidOperationException>(provider.GetRequiredService<TimerService>);
                Assert.Contains("under a key", error.Message, StringComparison.Ordinal);
            }
        });
    }
}
