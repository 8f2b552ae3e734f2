using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable.Tests;

public sealed class GrainTimerOptionsTests
{
    [Theory]
    [InlineData("OverrunPeriods is 0; it must be from 1 to 1000.", 0, 1, null)]
    [InlineData("OverrunPeriods is 1001;", 1001, 1, null)]
    [InlineData("ShortestOverrun is 00:00:00; it must be from 00:00:00.0010000 to 1.00:00:00.", 3, 0, null)]
    [InlineData("LongestTick is 00:00:00; it must be from 00:00:00.0010000 to 1.00:00:00, or null.", 3, 1, 0)]
    public async Task Start_OptionOutOfItsRange_FailsNamingPropertyValueAndRange(
        string told, int periods, int overrun, int? longest)
    {
        using var host = TestHosts.Silo(silo => silo.MeasureGrainTimers(timers =>
        {
            timers.OverrunPeriods = periods;
            timers.ShortestOverrun = TimeSpan.FromSeconds(overrun);
            timers.LongestTick = longest is { } seconds ? TimeSpan.FromSeconds(seconds) : null;
        }));

        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => host.StartAsync(TestContext.Current.CancellationToken));

        Assert.Contains($"GrainTimerOptions.{told}", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Measure_Twice_RegistersOnce()
    {
        var once = TestHosts.SiloServices(static silo => silo.MeasureGrainTimers());
        var twice = TestHosts.SiloServices(static silo => silo.MeasureGrainTimers().MeasureGrainTimers(_ => { }));
        Assert.Equal(once.Count(Ours), twice.Count(Ours));

        static bool Ours(ServiceDescriptor service) =>
            service.ServiceType.Assembly == typeof(GrainTimerOptions).Assembly
            || service.ServiceType == typeof(ITimerRegistry);
    }
}
