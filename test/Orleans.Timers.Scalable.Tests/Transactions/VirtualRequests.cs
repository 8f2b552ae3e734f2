using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Timers.Scalable.Transactions.ProtocolFixes;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The requests of transactions that run on a test's clock.</summary>
internal static class VirtualRequests
{
    internal static AbandonedRequests Create(TimeProvider clock, TimeSpan responseTimeout)
    {
        var services = new ServiceCollection().AddOptions().AddSingleton(clock);
        services.Configure<SiloMessagingOptions>(options => options.ResponseTimeout = responseTimeout);
        return new AbandonedRequests(services.BuildServiceProvider());
    }
}
