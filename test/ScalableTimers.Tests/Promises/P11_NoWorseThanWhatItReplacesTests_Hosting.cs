using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using ScalableTimers.HealthChecks;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P11: in a host, what a program does has one outcome, whatever the order of its registrations; what is missing or
/// wrong is an error when the host starts.
/// </summary>
public class P11_NoWorseThanWhatItReplacesTests_Hosting
{
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    // Failed before with the program's service in front of the call: the host did not stop it.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Add_BesideAServiceOfTheProgram_TheHostStopsAndDisposesThatOne(bool isBefore)
    {
        var made = new List<TimerService>();
        using var host = Services.NewHost(services => Add(
            services,
            isBefore,
            services => services.AddSingleton(_ =>
            {
                made.Add(new TimerService());
                return made[^1];
            }),
            static services => services.AddScalableTimers()));
        await host.StartAsync(Cancellation);
        var timers = host.Services.GetRequiredService<TimerService>();
        var delay = timers.TryDelay(s_hour, Cancellation).AsTask();

        await host.StopAsync(Cancellation);

        Assert.False(await Wait.For(delay, "the end of the delay"));
        Assert.Same(timers, Assert.Single(made));
        Assert.Single(host.Services.GetServices<IHostedService>());
        host.Dispose();
        Assert.True(timers.IsDisposed);
    }

    // Failed before with the program's service in front of the call: the host started.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Add_BesideAServiceOfTheProgram_OptionsAreValidatedAtStart(bool isBefore)
    {
        using var host = Services.NewHost(services => Add(
            services,
            isBefore,
            static services => services.AddSingleton<TimerService>(),
            static services => services.AddScalableTimers(static options => options.Resolution = 5 * s_second)));

        var error = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync(Cancellation));

        Assert.Contains("TimerServiceOptions.Resolution is 00:00:05; it must be from", error.Message);
    }

    // Failed before: the host started, and the first probe was an error of the server.
    [Fact]
    public async Task HealthCheck_WithoutAService_TheHostDoesNotStartAndSaysWhatToCall()
    {
        using var host = Services.NewHost(static services => services
            .AddHealthChecks().AddScalableTimers().AddScalableTimers(name: "again"));

        var error = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync(Cancellation));

        Assert.Equal("The health check needs a TimerService. Call services.AddScalableTimers().", error.Message);
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, false)]
    [InlineData(true, true)]
    [InlineData(false, true)]
    public async Task HealthCheck_WithAService_TheHostStarts(bool isBefore, bool isOfTheProgram)
    {
        using var host = Services.NewHost(services => Add(
            services,
            isBefore,
            services => _ = isOfTheProgram ? services.AddSingleton<TimerService>() : services.AddScalableTimers(),
            static services => services.AddHealthChecks().AddScalableTimers()));
        await host.StartAsync(Cancellation);

        var report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Cancellation);

        Assert.True(report.Entries["scalable_timers"].Data.ContainsKey("lateness"));
        await host.StopAsync(Cancellation);
    }

    // Failed before with the worker in front of the call, and with services that stop at once: its delay was cancelled
    // when the host began to stop.
    [Theory]
    [InlineData("Task.Delay", true, false)]
    [InlineData("Task.Delay", false, false)]
    [InlineData("Delay", true, false)]
    [InlineData("Delay", false, false)]
    [InlineData("Delay", true, true)]
    [InlineData("Delay", false, true)]
    public async Task Stop_WorkerAwaitsADelayWithoutAToken_WaitsForIt(string wait, bool isBefore, bool stopsAtOnce)
    {
        var clock = new ManualTimeProvider();
        using var host = Services.NewHost(services => Add(
            services.AddSingleton<TimeProvider>(clock)
                .Configure<HostOptions>(options => options.ServicesStopConcurrently = stopsAtOnce),
            isBefore,
            services => services.AddSingleton(new Wanted(wait)).AddHostedService<Worker>(),
            static services => services.AddScalableTimers()));
        var worker = host.Services.GetServices<IHostedService>().OfType<Worker>().Single();
        await host.StartAsync(Cancellation);
        await Wait.For(worker.Begun, "the worker");

        var stop = host.StopAsync(Cancellation);
        await Wait.For(worker.Stopping, "the stop");
        var isOver = stop.IsCompleted;
        clock.Advance(s_second);
        await Wait.For(stop, "the end of the stop");

        Assert.Equal((false, "elapsed"), (isOver, worker.Outcome));
        Assert.Equal(0, host.Services.GetRequiredService<TimerService>().GetSnapshot().Pending);
    }

    // A service that drains after the host has asked it to stop, as a web server does. Failed before with that service
    // in front of the call: the delays were cancelled.
    [Theory]
    [InlineData("Task.Delay", true)]
    [InlineData("Task.Delay", false)]
    [InlineData("Delay", true)]
    [InlineData("Delay", false)]
    public async Task Stop_ServiceDrainsOverDelays_TheyElapse(string wait, bool isBefore)
    {
        using var host = Services.NewHost(services => Add(
            services,
            isBefore,
            services => services.AddSingleton(new Wanted(wait)).AddHostedService<Draining>(),
            static services => services.AddScalableTimers()));
        await host.StartAsync(Cancellation);

        await Wait.For(host.StopAsync(Cancellation), "the end of the stop");

        Assert.Equal(5, host.Services.GetServices<IHostedService>().OfType<Draining>().Single().Rounds);
    }

    private static void Add(
        IServiceCollection services,
        bool isFirstBefore,
        Action<IServiceCollection> first,
        Action<IServiceCollection> second)
    {
        (isFirstBefore ? first : second)(services);
        (isFirstBefore ? second : first)(services);
    }

    private sealed record Wanted(string Wait)
    {
        internal ValueTask Begin(TimerService timers, TimeProvider clock, TimeSpan dueTime) =>
            Wait == "Delay" ? timers.Delay(dueTime) : new ValueTask(Task.Delay(dueTime, clock));
    }

    private sealed class Worker(TimerService timers, TimeProvider clock, Wanted wanted) : BackgroundService
    {
        private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _stopping = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Task Begun => _begun.Task;

        internal Task Stopping => _stopping.Task;

        internal string? Outcome { get; private set; }

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            _ = stoppingToken.Register(_stopping.SetResult);
            var delay = wanted.Begin(timers, clock, s_second);
            _begun.SetResult();
            try
            {
                await delay;
                Outcome = "elapsed";
            }
            catch (OperationCanceledException)
            {
                Outcome = "cancelled";
            }
        }
    }

    private sealed class Draining(TimerService timers, Wanted wanted) : IHostedService
    {
        internal int Rounds { get; private set; }

        public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public async Task StopAsync(CancellationToken cancellationToken)
        {
            for (; Rounds < 5; Rounds++)
            {
                await wanted.Begin(timers, TimeProvider.System, TimeSpan.FromMilliseconds(10));
            }
        }
    }
}
