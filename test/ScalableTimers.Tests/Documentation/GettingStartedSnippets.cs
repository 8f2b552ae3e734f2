using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Time.Testing;
using Polly;

namespace ScalableTimers.Tests.Documentation;

/// <summary>The code about hosts and libraries that take a <see cref="TimeProvider"/>.</summary>
public sealed class GettingStartedSnippets
{
    [Fact]
    public async Task Polly_OnTheService_TimesOutByItsClock()
    {
        var clock = new FakeTimeProvider();
        using var timers = new TimerService(new(), clock: clock);
        var builder = new ResiliencePipelineBuilder();

        builder.TimeProvider = timers.TimeProvider;

        var call = builder.AddTimeout(TimeSpan.FromSeconds(10)).Build()
            .ExecuteAsync(static async token => await Task.Delay(Timeout.Infinite, token))
            .AsTask();
        clock.Advance(TimeSpan.FromSeconds(10));
        await Assert.ThrowsAsync<Polly.Timeout.TimeoutRejectedException>(() => Wait.For(call, "the timeout"));
    }

    [Fact]
    public void Host_ServiceAndItsTimeProvider_ComeFromTheContainer()
    {
        var builder = Host.CreateApplicationBuilder();

        builder.Services.AddScalableTimers();
        builder.Services.AddKeyedSingleton("scalable", static (services, _) =>
            services.GetRequiredService<TimerService>().TimeProvider);

        builder.Services.AddSingleton<Reports>();
        using var host = builder.Build();
        Assert.Same(
            host.Services.GetRequiredService<TimerService>().TimeProvider,
            host.Services.GetRequiredService<Reports>().TimeProvider);
    }

    [Fact]
    public void Host_ProviderForAll_WaitsInRealTime()
    {
        var builder = Host.CreateApplicationBuilder();

        builder.Services.AddKeyedScalableTimers("all");
        builder.Services.AddKeyedSingleton("all", TimeProvider.System);
        builder.Services.AddSingleton(static services => services.GetRequiredKeyedService<TimerService>("all"));
        builder.Services.AddSingleton(static services => services.GetRequiredService<TimerService>().TimeProvider);

        // A part of the program that adds the service again changes nothing.
        builder.Services.AddScalableTimers();
        using var host = builder.Build();
        var timers = host.Services.GetRequiredService<TimerService>();
        Assert.Same(timers.TimeProvider, host.Services.GetRequiredService<TimeProvider>());
        Assert.False(timers.GetSnapshot().IsVirtualTime);
    }

    [Fact]
    public void Host_Section_SetsOptions()
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Configuration.AddInMemoryCollection([new("ScalableTimers:Resolution", "00:00:00.005")]);

        builder.Services.AddScalableTimers(builder.Configuration.GetSection("ScalableTimers"));

        using var host = builder.Build();
        var options = host.Services.GetRequiredService<IOptions<TimerServiceOptions>>().Value;
        Assert.Equal(TimeSpan.FromMilliseconds(5), options.Resolution);
    }

    public sealed class Reports([FromKeyedServices("scalable")] TimeProvider timeProvider)
    {
        public TimeProvider TimeProvider => timeProvider;
    }
}
