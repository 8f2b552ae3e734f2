using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P11: services with keys are as separate as .NET's keyed singletons are, and the host ends each of them. Options come
/// from the configuration as those of .NET's own services do.
/// </summary>
public class P11_NoWorseThanWhatItReplacesTests_Registration
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly string[] s_keys = ["fine", "coarse"];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    // There were no services with keys before, but those that a program made itself.
    [Fact]
    public async Task AddKeyed_EachIsAServiceOfItsOwnThatTheHostEnds()
    {
        using var host = Services.NewHost(static services =>
        {
            foreach (var key in s_keys)
            {
                services.AddKeyedScalableTimers(key).AddKeyedSingleton(key, (_, _) => new object());
            }

            services.AddScalableTimers();
        });
        await host.StartAsync(Cancellation);
        var all = s_keys.Select(key => host.Services.GetRequiredKeyedService<TimerService>(key))
            .Append(host.Services.GetRequiredService<TimerService>())
            .ToList();
        var controls = s_keys.Select(key => host.Services.GetRequiredKeyedService<object>(key)).ToList();
        Assert.Equal((3, 2), (all.Distinct().Count(), controls.Distinct().Count()));
        Assert.Same(all[0], host.Services.GetRequiredKeyedService<TimerService>("fine"));
        var delays = all.Select(static service => service.TryDelay(s_hour, Cancellation).AsTask()).ToList();

        await host.StopAsync(Cancellation);

        foreach (var delay in delays)
        {
            Assert.False(await Wait.For(delay, "the end of a delay"));
        }

        Assert.All(all, static service => Assert.False(service.IsDisposed));
        host.Dispose();
        Assert.All(all, static service => Assert.True(service.IsDisposed));
    }

    [Fact]
    public void AddKeyed_OptionsAndNameAreThoseOfTheKey()
    {
        using var host = Services.NewHost(static services => services
            .AddKeyedScalableTimers("fine", static options => options.Resolution = TimeSpan.FromMilliseconds(1))
            .AddKeyedScalableTimers("fine", static options => options.TimeoutTokenBucket = s_second)
            .AddKeyedScalableTimers("coarse", static options => options.Name = "its own")
            .Configure<TimerServiceOptions>("coarse", static options => options.Resolution = s_second)
            .AddScalableTimers());

        var options = host.Services.GetRequiredService<IOptionsMonitor<TimerServiceOptions>>();
        var (fine, coarse) = (options.Get("fine"), options.Get("coarse"));
        Assert.Equal((TimeSpan.FromMilliseconds(1), s_second), (fine.Resolution, fine.TimeoutTokenBucket));
        Assert.Equal(s_second, coarse.Resolution);
        Assert.Equal(TimeSpan.FromMilliseconds(10), options.CurrentValue.Resolution);
        Assert.All([fine, coarse], static one => Assert.Equal(CallbackExceptions.Log, one.CallbackExceptions));
        Assert.Equal(
            ["fine", "its own", "default"],
            new[] { Keyed(host, "fine"), Keyed(host, "coarse"), host.Services.GetRequiredService<TimerService>() }
                .Select(static service => (string)service.Tags[0].Value!));
        Assert.Equal(s_second, Keyed(host, "coarse").Clock.Resolution);
        Assert.Equal(TimeSpan.FromMilliseconds(1), Keyed(host, "fine").Clock.Resolution);
    }

    [Fact]
    public async Task AddKeyed_OptionOutOfRange_TheHostDoesNotStart()
    {
        using var host = Services.NewHost(static services => services
            .AddScalableTimers()
            .AddKeyedScalableTimers("fine", static options => options.Resolution = 5 * s_second));

        var error = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync(Cancellation));

        Assert.Contains("TimerServiceOptions.Resolution is 00:00:05; it must be from", error.Message);
        Assert.Equal("fine", error.OptionsName);
    }

    [Fact]
    public void AddKeyed_ClockIsThatOfTheKeyOrElseTheContainers()
    {
        var (own, common) = (new ManualTimeProvider(), new ManualTimeProvider());
        using var host = Services.NewHost(services => services
            .AddSingleton<TimeProvider>(common)
            .AddKeyedSingleton<TimeProvider>("fine", own)
            .AddKeyedScalableTimers("fine")
            .AddKeyedScalableTimers("coarse"));
        var fine = Keyed(host, "fine").Delay(s_second).AsTask();
        var coarse = Keyed(host, "coarse").Delay(s_second).AsTask();

        own.Advance(s_second);
        Assert.Equal((true, false), (fine.IsCompleted, coarse.IsCompleted));
        common.Advance(s_second);
        Assert.True(coarse.IsCompleted);
    }

    // There was no such overload before.
    [Fact]
    public async Task Add_SectionOfTheConfiguration_SetsTheOptions()
    {
        using var host = Services.NewHost(static services => services.AddScalableTimers(Section(
            ("Resolution", "00:00:00.0200000"), ("Driver", "timer"),
            ("CallbackExceptions", "Throw"), ("Name", "mine"), ("TimeoutTokenBucket", "00:00:01"))));
        await host.StartAsync(Cancellation);

        var options = host.Services.GetRequiredService<IOptions<TimerServiceOptions>>().Value;

        Assert.Equal(
            (TimeSpan.FromMilliseconds(20), s_second, "mine"),
            (options.Resolution, options.TimeoutTokenBucket, options.Name));
        Assert.Equal(
            (TimerServiceDriver.Timer, CallbackExceptions.Throw), (options.Driver, options.CallbackExceptions));
        var timers = host.Services.GetRequiredService<TimerService>();
        Assert.Equal((TimerServiceDriver.Timer, "mine"), (timers.Driver.Kind, timers.Tags[0].Value));
    }

    [Theory]
    [InlineData("Resolution", "00:00:05", "TimerServiceOptions.Resolution is 00:00:05; it must be from")]
    [InlineData("Resolution", "fast", "'fast'")]
    [InlineData("Driver", "Engine", "'Engine'")]
    [InlineData("CallbackExceptions", "7", "TimerServiceOptions.CallbackExceptions is 7; it must be one of Throw, Log")]
    public async Task Add_SectionHasAWrongValue_TheHostDoesNotStartAndNamesIt(string key, string value, string message)
    {
        using var host = Services.NewHost(services => services.AddScalableTimers(Section((key, value))));

        var error = await Assert.ThrowsAnyAsync<Exception>(() => host.StartAsync(Cancellation));

        Assert.Contains(message, error.Message);
        Assert.Contains(key, error.Message);
    }

    private static IConfigurationRoot Section(params (string Key, string Value)[] values) =>
        new ConfigurationBuilder()
            .AddInMemoryCollection(
                values.Select(static value => KeyValuePair.Create(value.Key, (string?)value.Value)))
            .Build();

    private static TimerService Keyed(IHost host, string key) =>
        host.Services.GetRequiredKeyedService<TimerService>(key);
}
