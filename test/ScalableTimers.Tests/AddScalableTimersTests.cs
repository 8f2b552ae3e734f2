using ScalableTimers.Tests.Clock;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace ScalableTimers.Tests;

public class AddScalableTimersTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    [Fact]
    public async Task Start_OptionOutOfRange_FailsAndNamesTheProperty()
    {
        using var host = Build(
            static services =>
                services.AddScalableTimers(static options => options.Resolution = TimeSpan.FromSeconds(2)));

        var exception = await Assert.ThrowsAsync<OptionsValidationException>(
            () => host.StartAsync(TestContext.Current.CancellationToken));

        Assert.Contains(
            "TimerServiceOptions.Resolution is 00:00:02; it must be from 00:00:00.0010000 to 00:00:01.",
            exception.Message,
            StringComparison.Ordinal);
    }

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
    public void Add_ReturnsTheServices()
    {
        var services = new ServiceCollection();

        Assert.Same(services, services.AddScalableTimers());
        Assert.Same(services, services.AddScalableTimers());
        Assert.Throws<ArgumentNullException>(static () => ((IServiceCollection)null!).AddScalableTimers());
    }

    [Fact]
    public void Add_ContainerHasAClock_UsesIt()
    {
        var clock = new ManualTimeProvider();
        using var provider = new ServiceCollection()
            .AddLogging()
            .AddSingleton<TimeProvider>(clock)
            .AddScalableTimers()
            .BuildServiceProvider();
        var fired = 0;
        provider.GetRequiredService<TimerService>().Schedule(_ => fired++, null, s_second);

        clock.Advance(s_second);

        Assert.Equal(1, fired);
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

    [Fact]
    public async Task Stop_OfTheHost_EndsDelaysAndKeepsTimers()
    {
        var clock = new ManualTimeProvider();
        using var host = Build(services => services.AddSingleton<TimeProvider>(clock).AddScalableTimers());
        await host.StartAsync(TestContext.Current.CancellationToken);
        var service = host.Services.GetRequiredService<TimerService>();
        var delay = service.TryDelay(s_second, TestContext.Current.CancellationToken);
        var fired = 0;
        service.Schedule(_ => fired++, null, s_second);

        await host.StopAsync(TestContext.Current.CancellationToken);

        Assert.True(delay.IsCompleted);
        Assert.False(await delay);
        clock.Advance(s_second);
        Assert.Equal(1, fired);
        Assert.False(service.IsDisposed);
    }

    [Fact]
    public async Task Dispose_OfTheHost_DisposesTheService()
    {
        var host = Build(static services => services.AddScalableTimers());
        await host.StartAsync(TestContext.Current.CancellationToken);
        var service = host.Services.GetRequiredService<TimerService>();
        await host.StopAsync(TestContext.Current.CancellationToken);

        host.Dispose();

        Assert.True(service.IsDisposed);
    }

    private static IHost Build(Action<IServiceCollection> configure)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        configure(builder.Services);
        return builder.Build();
    }
}
