using Microsoft.Extensions.Hosting;

namespace ScalableTimers;

/// <summary>Stops the service when all services of its host have stopped; the container disposes it.</summary>
/// <remarks>
/// In whatever order they are registered. While requests are still answered and loops still drain, their delays
/// must not fail: with <c>Task.Delay</c> they would not.
/// </remarks>
internal sealed class TimerServiceHost(TimerService service) : IHostedLifecycleService
{
    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    // The host's token may have been cancelled by a service that took too long to stop. The delays end all the same.
    public Task StoppedAsync(CancellationToken cancellationToken) => service.StopAsync(CancellationToken.None);
}
