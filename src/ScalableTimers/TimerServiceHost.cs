using Microsoft.Extensions.Hosting;

namespace ScalableTimers;

/// <summary>Stops the service with its host; the container disposes it.</summary>
internal sealed class TimerServiceHost(TimerService service) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => service.StopAsync();
}
