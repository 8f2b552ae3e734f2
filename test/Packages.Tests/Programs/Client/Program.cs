using Microsoft.Extensions.Hosting;
using Orleans.Runtime.Messaging;

var builder = Host.CreateApplicationBuilder(args);
builder.UseOrleansClient(static client =>
{
    client.UseLocalhostClustering(gatewayPort: 1);
    client.AddScalableTimers();
    client.UseConnectionRetryFilter(static (_, _) => Task.FromResult(false));
});

using var host = builder.Build();
try
{
    await host.StartAsync();
}
catch (ConnectionFailedException)
{
    Console.WriteLine("The client has found no silo.");
}
