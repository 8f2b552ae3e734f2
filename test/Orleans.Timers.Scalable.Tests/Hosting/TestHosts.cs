using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Hosts that are built and inspected, but rarely started.</summary>
internal static class TestHosts
{
    internal static IServiceCollection SiloServices(Action<ISiloBuilder> configure) => SiloBuilder(configure).Services;

    internal static IHost Silo(Action<ISiloBuilder> configure) => SiloBuilder(configure).Build();

    internal static IServiceCollection ClientServices(Action<IClientBuilder> configure) =>
        ClientBuilder(configure).Services;

    internal static IHost Client(Action<IClientBuilder> configure) => ClientBuilder(configure).Build();

    internal static HostApplicationBuilder SiloBuilder(Action<ISiloBuilder> configure)
    {
        var host = Host.CreateEmptyApplicationBuilder(settings: null);
        host.UseOrleans(silo => configure(silo.UseLocalhostClustering()));
        return host;
    }

    private static HostApplicationBuilder ClientBuilder(Action<IClientBuilder> configure)
    {
        var host = Host.CreateEmptyApplicationBuilder(settings: null);
        host.UseOrleansClient(client => configure(client.UseLocalhostClustering()));
        return host;
    }
}
