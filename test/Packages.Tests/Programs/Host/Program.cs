using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using ScalableTimers;

var settings = new HostApplicationBuilderSettings { Args = args, ContentRootPath = AppContext.BaseDirectory };
var builder = Host.CreateApplicationBuilder(settings);
builder.Services.AddScalableTimers();
builder.Services.AddOptions<ScalableTimerOptions>().BindConfiguration("ScalableTimers");
builder.Services.AddHostedService<Worker>();
await builder.Build().RunAsync();

internal sealed class Worker(
    TimerService timers, IOptions<ScalableTimerOptions> options, IHostApplicationLifetime lifetime)
    : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await timers.Delay(TimeSpan.FromMilliseconds(50), stoppingToken);
        Console.WriteLine($"Woken, with a resolution of {options.Value.Resolution}.");
        lifetime.StopApplication();
    }
}
