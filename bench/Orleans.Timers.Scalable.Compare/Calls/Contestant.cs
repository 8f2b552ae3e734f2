using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Orleans.Timers.Scalable.Compare;

/// <summary>A silo with or without filters, which calls its own grain, and the code around these calls.</summary>
internal sealed class Contestant(string name, Action<ISiloBuilder> configure, Func<IDisposable>? surround = null)
    : IAsyncDisposable
{
    private static int s_port = 21_000;

    private IHost? _host;
    private IEchoGrain? _grain;

    internal string Name { get; } = name;

    internal List<double> Nanoseconds { get; } = [];

    internal List<double> Bytes { get; } = [];

    internal async Task Start()
    {
        var builder = Host.CreateEmptyApplicationBuilder(settings: null);
        builder.UseOrleans(silo => configure(silo.UseLocalhostClustering(siloPort: s_port++, gatewayPort: s_port++)));
        _host = builder.Build();
        await _host.StartAsync();
        _grain = _host.Services.GetRequiredService<IGrainFactory>().GetGrain<IEchoGrain>(0);
    }

    /// <summary>One call after the other.</summary>
    internal async Task Run(int calls)
    {
        using var scope = surround?.Invoke();
        for (var i = 0; i < calls; i++)
        {
            await _grain!.Echo(i);
        }
    }

    internal async Task Measure(int calls)
    {
        GC.Collect();
        var bytes = GC.GetTotalAllocatedBytes(precise: true);
        var start = TimeProvider.System.GetTimestamp();
        await Run(calls);
        Nanoseconds.Add(TimeProvider.System.GetElapsedTime(start).TotalNanoseconds / calls);
        Bytes.Add((double)(GC.GetTotalAllocatedBytes(precise: true) - bytes) / calls);
    }

    public async ValueTask DisposeAsync()
    {
        if (_host is not null)
        {
            await _host.StopAsync();
            _host.Dispose();
        }
    }
}
