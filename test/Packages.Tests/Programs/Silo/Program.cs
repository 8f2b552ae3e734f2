using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Timers.Scalable;

var builder = Host.CreateApplicationBuilder(args);
builder.UseOrleans(static silo =>
{
    silo.UseLocalhostClustering(siloPort: FreePort(), gatewayPort: FreePort());
    silo.AddScalableTimers();
});

using var host = builder.Build();
await host.StartAsync();
var sleeper = host.Services.GetRequiredService<IGrainFactory>().GetGrain<ISleeperGrain>("one");
Console.WriteLine(await sleeper.Sleep(TimeSpan.FromMilliseconds(50)));
await host.StopAsync();

static int FreePort()
{
    using var listener = new TcpListener(IPAddress.Loopback, 0);
    listener.Start();
    return ((IPEndPoint)listener.LocalEndpoint).Port;
}

internal interface ISleeperGrain : IGrainWithStringKey
{
    Task<string> Sleep(TimeSpan time);
}

internal sealed class SleeperGrain(IGrainDelay delay) : Grain, ISleeperGrain
{
    public async Task<string> Sleep(TimeSpan time)
    {
        var passed = await delay.TryDelay(time);
        await Task.Delay(1); // The analyzers find it.
        return passed ? $"The grain has slept for {time}." : "The grain deactivates.";
    }
}
