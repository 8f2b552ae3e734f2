using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Timers.Scalable.Transactions.Phases;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The phases of a silo whose transactions run on a test's clock.</summary>
internal static class VirtualPhases
{
    internal static TransactionPhases Create(TimeProvider clock, TimeSpan responseTimeout)
    {
        var services = new ServiceCollection().AddOptions().AddSingleton(clock);
        services.Configure<SiloMessagingOptions>(options => options.ResponseTimeout = responseTimeout);
        return new TransactionPhases(services.BuildServiceProvider());
    }
}
