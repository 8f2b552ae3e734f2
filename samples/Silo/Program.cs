using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans.Timers.Scalable;
using ScalableTimers;

// A silo with scalable timers and two grains that use them. It runs for a few seconds.
var builder = Host.CreateApplicationBuilder(args);
builder.Logging.SetMinimumLevel(LogLevel.Error);

// This is all that a silo needs. Grain timers, reminders, response timeouts and transactions use scalable timers too.
builder.UseOrleans(static silo =>
{
    silo.UseLocalhostClustering();
    silo.AddScalableTimers();
});

using var host = builder.Build();
await host.StartAsync();

var display = host.Services.GetRequiredService<IGrainFactory>().GetGrain<IDisplayGrain>("hall");
for (var i = 0; i < 3; i++)
{
    Console.WriteLine($"display: {await display.Show("cellar"):F1} degrees");
}

// Stopping deactivates the grains, which ends their delays. So nothing holds up the stop.
await host.StopAsync();

internal interface IThermometerGrain : IGrainWithStringKey
{
    Task<double> Read(CancellationToken cancellationToken);
}

internal interface IDisplayGrain : IGrainWithStringKey
{
    Task<double> Show(string thermometer);
}

internal sealed class ThermometerGrain(IGrainDelay delay) : Grain, IThermometerGrain
{
    private Task _measuring = Task.CompletedTask;
    private double _degrees = 12;
    private int _reads;

    public override Task OnActivateAsync(CancellationToken cancellationToken)
    {
        _measuring = Measure();
        return Task.CompletedTask;
    }

    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken) =>
        _measuring;

    // Every other read hangs, as a real sensor might. The caller gives up, and the token ends the delay.
    public async Task<double> Read(CancellationToken cancellationToken)
    {
        if (++_reads % 2 == 1)
        {
            await delay.Delay(TimeSpan.FromMinutes(1), cancellationToken);
        }

        return _degrees;
    }

    // The delay ends with false when the activation deactivates, so this loop needs no other exit.
    private async Task Measure()
    {
        while (await delay.TryDelay(TimeSpan.FromMilliseconds(100)))
        {
            _degrees += 0.1;
        }

        Console.WriteLine("thermometer: the activation deactivates, so it measures no more");
    }
}

internal sealed class DisplayGrain(IGrainDelay delay, TimerService timers) : Grain, IDisplayGrain
{
    public async Task<double> Show(string thermometer)
    {
        var grain = GrainFactory.GetGrain<IThermometerGrain>(thermometer);
        while (true)
        {
            try
            {
                // A timeout for one call, which also cancels the call in the thermometer.
                return await timers.WithTimeout(token => grain.Read(token), TimeSpan.FromMilliseconds(200));
            }
            catch (TimeoutException)
            {
                Console.WriteLine("display: no answer within 200 ms, trying again");

                // If this activation deactivates, the delay ends at once with an OperationCanceledException.
                await delay.Delay(TimeSpan.FromMilliseconds(300));
            }
        }
    }
}
