using System.Runtime.ExceptionServices;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P11: an exception in a callback ends the process, as with .NET's timers, unless the program says otherwise where it
/// makes the service. If the process goes on, so do the timers.
/// </summary>
public class P11_NoWorseThanWhatItReplacesTests_Exceptions
{
    private const string Thrown = "Thrown by a callback.";

    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);
    private static readonly TimerCallback s_throw = static _ => throw new InvalidOperationException(Thrown);

    // Failed before with a logger: the process went on.
    [Theory]
    [InlineData("Timer")]
    [InlineData("no logger")]
    [InlineData("logger")]
    [InlineData("host")]
    [InlineData("driven by a timer")]
    public async Task Throw_WhoeverLogs_EndsTheProcess(string kind)
    {
        if (await Child.Run(kind, () => ThrowOnce(kind)) is not var (exitCode, output))
        {
            return;
        }

        Assert.NotEqual(0, exitCode);
        Assert.Contains($"Unhandled exception. System.InvalidOperationException: {Thrown}", output);
        Assert.DoesNotContain("The process has gone on.", output);
    }

    [Fact]
    public void Log_WithoutALogger_IsRefusedByName()
    {
        var options = new TimerServiceOptions { CallbackExceptions = CallbackExceptions.Log };

        var error = Assert.Throws<ArgumentException>(() => new TimerService(options));

        Assert.Contains("TimerServiceOptions.CallbackExceptions is Log, but there is no logger.", error.Message);
        Assert.Throws<ArgumentException>(() => new TimerService(options, logger: null));
        using var provider = new ServiceCollection().AddScalableTimers().BuildServiceProvider();
        Assert.Throws<ArgumentException>(provider.GetRequiredService<TimerService>);
    }

    [Fact]
    public void Default_IsToThrowInAProgramAndToLogInAHost()
    {
        Assert.Equal(CallbackExceptions.Throw, new TimerServiceOptions().CallbackExceptions);
        Assert.Equal(CallbackExceptions.Log, Configured(static services => services.AddScalableTimers()));
        Assert.Equal(CallbackExceptions.Log, Configured(static services =>
        {
            services.AddScalableTimers(static options => options.Resolution = s_tick);
            services.AddScalableTimers();
        }));
    }

    [Theory]
    [InlineData("before")]
    [InlineData("after")]
    [InlineData("in the call")]
    [InlineData("in the configuration")]
    [InlineData("for all names")]
    public void Throw_ConfiguredByTheProgram_WinsOverTheDefaultOfAHost(string where)
    {
        var section = new ConfigurationBuilder()
            .AddInMemoryCollection([KeyValuePair.Create("CallbackExceptions", (string?)"Throw")])
            .Build();
        static void Throw(TimerServiceOptions options) => options.CallbackExceptions = CallbackExceptions.Throw;

        Assert.Equal(CallbackExceptions.Throw, Configured(services => _ = where switch
        {
            "before" => services.Configure<TimerServiceOptions>(Throw).AddScalableTimers(),
            "after" => services.AddScalableTimers().Configure<TimerServiceOptions>(Throw),
            "in the call" => services.AddScalableTimers(Throw),
            "in the configuration" => services.AddScalableTimers(section),
            _ => services.ConfigureAll<TimerServiceOptions>(Throw).AddScalableTimers(),
        }));
    }

    // Failed before with ours: InFlight stayed above zero and the disposal never ended.
    [Theory]
    [InlineData(TimerServiceDriver.Thread)]
    [InlineData(TimerServiceDriver.Timer)]
    public Task Throw_TheProcessHandlesAll_TimersGoOn(TimerServiceDriver driver) =>
        Child.Passes($"{driver}", async () =>
        {
            ExceptionHandling.SetUnhandledExceptionHandler(static _ => true);
            var service = new TimerService(new() { Driver = driver });
            var kept = new List<ITimer>();
            using var fired = new CountdownEvent(400);
            for (var i = 0; i < 400; i++)
            {
                TimerCallback callback = i % 4 == 0 ? s_throw : _ => fired.Signal();
                kept.Add(new Timer(callback, null, s_tick, Timeout.InfiniteTimeSpan));
                kept.Add(i % 3 == 0
                    ? service.TimeProvider.CreateTimer(callback, null, s_tick, Timeout.InfiniteTimeSpan)
                    : new Scheduled(service.Schedule(callback, null, s_tick)));
            }

            // A hundred of .NET's timers throw, and a hundred of ours; 300 of each do not.
            fired.AddCount(200);
            Wait.For(fired, "the others");
            Wait.Until(() => service.GetSnapshot() is { InFlight: 0, Failed: 100 }, "the end of the workers");
            kept.ForEach(static timer => timer.Dispose());

            await Wait.For(service.Delay(s_tick).AsTask(), "a later delay");
            await Wait.For(Task.Delay(s_tick, service.TimeProvider), "a later timer");
            await Wait.For(service.DisposeAsync().AsTask(), "the disposal");
        });

    private static CallbackExceptions Configured(Action<IServiceCollection> configure)
    {
        var services = new ServiceCollection();
        configure(services.AddLogging());
        using var provider = services.BuildServiceProvider();
        return provider.GetRequiredService<IOptions<TimerServiceOptions>>().Value.CallbackExceptions;
    }

    private static async Task ThrowOnce(string kind)
    {
        var options = new TimerServiceOptions
        {
            CallbackExceptions = CallbackExceptions.Throw,
            Driver = kind == "driven by a timer" ? TimerServiceDriver.Timer : TimerServiceDriver.Thread,
        };
        using var host = new HostBuilder()
            .ConfigureServices(static services => services.AddScalableTimers(
                static options => options.CallbackExceptions = CallbackExceptions.Throw))
            .Build();
        using var service = kind switch
        {
            "host" => host.Services.GetRequiredService<TimerService>(),
            "logger" => new TimerService(options, logger: NullLogger<TimerService>.Instance),
            _ => new TimerService(options),
        };
        using var timer = kind == "Timer"
            ? new Timer(s_throw, null, s_tick, Timeout.InfiniteTimeSpan)
            : (IDisposable)service.Schedule(s_throw, null, s_tick);
        await Task.Delay(200 * s_tick);
        await Console.Out.WriteLineAsync("The process has gone on.");
    }

    private sealed class Scheduled(ScheduledTimer timer) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => timer.Reschedule(dueTime);

        public void Dispose() => timer.Dispose();

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
