using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Each bounded call would pass a filter in front of ours twice. A limiter there let no call through.
/// </summary>
public sealed class CallTimeoutOrderTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Start_AnotherFilterIsInFront_IsRefusedNamingIt(bool inTheSilo)
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 1);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSilo((_, silo) => PutInFront(silo.AddCallTimeouts().Services, inTheSilo));
        builder.ConfigureClient(client => PutInFront(client.AddCallTimeouts().Services, !inTheSilo));
        await using var cluster = builder.Build();

        var error = await Record.ExceptionAsync(() => cluster.DeployAsync());

        Assert.Contains($"{typeof(InFront)} is registered in front", error?.ToString(), StringComparison.Ordinal);
    }

    private static void PutInFront(IServiceCollection services, bool isWanted)
    {
        if (isWanted)
        {
            services.Insert(0, ServiceDescriptor.Singleton<IOutgoingGrainCallFilter, InFront>());
        }
    }

    private sealed class InFront : IOutgoingGrainCallFilter
    {
        public Task Invoke(IOutgoingGrainCallContext context) => context.Invoke();
    }
}
