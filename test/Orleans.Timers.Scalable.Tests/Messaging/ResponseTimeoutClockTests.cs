using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Timers.Scalable.Messaging;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

public sealed class ResponseTimeoutClockTests
{
    private static readonly TimeSpan s_stockPeriod = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _underlying = new();
    private readonly ResponseTimeoutClock _clock;

    public ResponseTimeoutClockTests() =>
        _clock = new ResponseTimeoutClock(_underlying, static () => TimeSpan.FromSeconds(30));

    [Fact]
    public void CreateTimer_SamePeriodOtherCaller_IsAnOrdinaryTimer()
    {
        using var timer = new PeriodicTimer(s_stockPeriod, _clock);
        using var other = _clock.CreateTimer(static _ => { }, null, s_stockPeriod, s_stockPeriod);

        Assert.Null(_clock.Check);
        Assert.IsNotType<ResponseTimeoutCheck>(other);
    }

    [Theory]
    [InlineData(30_000, 1000)]
    [InlineData(500, 500)]
    [InlineData(0, 1)]
    public void StockPeriod_IsTheResponseTimeoutWithinAMillisecondAndASecond(int responseTimeout, int expected) =>
        Assert.Equal(
            TimeSpan.FromMilliseconds(expected),
            new ResponseTimeoutClock(_underlying, () => TimeSpan.FromMilliseconds(responseTimeout)).StockPeriod);

    // Seen to fail when the first timer is taken, whatever type creates it.
    [Fact]
    public void Client_RefreshesGatewaysAtTheSamePeriod_FindsTheTimerOfTheRuntimeClient()
    {
        using var host = TestHosts.Client(static client =>
        {
            client.Configure<GatewayOptions>(static options => options.GatewayListRefreshPeriod = s_stockPeriod);
            client.AddScalableTimers();
        });

        // This service creates the gateway manager. A program that requests it early creates the gateway manager's
        // timer first.
        _ = host.Services.GetRequiredService<IClusterManifestProvider>();
        Assert.Null(host.Services.MessagingClock().Check);
        _ = host.Services.GetRequiredService<IClusterClient>();

        Assert.NotNull(host.Services.MessagingClock().Check);
        Assert.Equal("OutsideRuntimeClient", host.Services.MessagingClock().Maker?.Name);
    }
}
