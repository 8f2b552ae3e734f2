using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public sealed class TimerServiceNameTests
{
    [Fact]
    public void Name_OfASilosService_IsTheSilos()
    {
        using var host = TestHosts.Silo(static silo => silo.AddScalableTimers());

        var silo = host.Services.GetRequiredService<ILocalSiloDetails>().Name;
        Assert.NotEmpty(silo);
        Assert.Equal(silo, NameIn(host));
    }

    [Fact]
    public void Name_OfAClientsService_IsClient()
    {
        using var host = TestHosts.Client(static client => client.AddScalableTimers());

        Assert.Equal("client", NameIn(host));
    }

    [Fact]
    public void Name_Configured_IsKept()
    {
        using var host = TestHosts.Silo(
            static silo => silo.AddScalableTimers(static options => options.Name = "mine"));

        Assert.Equal("mine", NameIn(host));
    }

    private static string NameIn(IHost host) => host.Services.GetRequiredService<TimerService>().Name;
}
