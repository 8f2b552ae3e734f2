using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Hosting;
using ScalableTimers;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>What Orleans is told when it asks for a silo's health.</summary>
public sealed class TimerServiceHealthTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    private readonly HandClock _clock = new();

    [Fact]
    public void CheckHealth_TimersFireInTime_IsHealthy()
    {
        using var timers = new TimerService(clock: _clock);
        var health = new TimerServiceHealth(timers, keepsSystemTime: true);

        for (var i = 0; i < 3; i++)
        {
            Assert.True(health.CheckHealth(default, out var reason));
            Assert.Null(reason);
            _clock.SkipAndRing(s_tick + TimerServiceHealth.LongestLateness);
        }

        Assert.Equal(3, timers.GetSnapshot().Fired);
    }

    // Calibrated by counting from the due time: the timer was 0.9 s late.
    [Fact]
    public void CheckHealth_DueWithinAWideTick_IsHealthyWhenItFiresAtTheTicksEnd()
    {
        using var timers = new TimerService(new() { Resolution = TimeSpan.FromSeconds(1) }, _clock);
        var health = new TimerServiceHealth(timers, keepsSystemTime: true);
        _clock.Skip(TimeSpan.FromSeconds(0.1));
        Assert.True(health.CheckHealth(default, out _));
        _clock.SkipAndRing(TimeSpan.FromSeconds(1.9));

        Assert.True(health.CheckHealth(default, out var reason), reason);
        Assert.Equal(1, timers.GetSnapshot().Fired);
    }

    [Fact]
    public void CheckHealth_TimerFiredLate_TellsOnceByHowMuch()
    {
        using var timers = new TimerService(clock: _clock);
        var health = new TimerServiceHealth(timers, keepsSystemTime: true);
        Assert.True(health.CheckHealth(default, out _));
        _clock.SkipAndRing(s_tick + TimeSpan.FromSeconds(2));

        Assert.False(health.CheckHealth(default, out var reason));

        Assert.Equal("A timer fired 00:00:02 after it was due.", reason);
        _clock.SkipAndRing(s_tick);
        Assert.True(health.CheckHealth(default, out _));
    }

    [Fact]
    public void CheckHealth_TimerDoesNotFire_TellsUntilItDoes()
    {
        using var timers = new TimerService(clock: _clock);
        var health = new TimerServiceHealth(timers, keepsSystemTime: true);
        Assert.True(health.CheckHealth(default, out _));

        foreach (var seconds in new[] { 1, 2 })
        {
            _clock.Skip(TimeSpan.FromSeconds(1) + (seconds == 1 ? s_tick : TimeSpan.Zero));
            Assert.False(health.CheckHealth(default, out var reason));
            Assert.Equal($"A timer has not fired 00:00:0{seconds} after it was due.", reason);
        }

        Assert.Equal(1, timers.GetSnapshot().Pending);
    }

    [Fact]
    public void CheckHealth_ClockOfATest_SaysNothing()
    {
        using var timers = new TimerService(clock: _clock);
        var health = new TimerServiceHealth(timers, keepsSystemTime: false);
        Assert.True(health.CheckHealth(default, out _));
        _clock.SkipAndRing(TimeSpan.FromHours(1));
        Assert.True(health.CheckHealth(default, out _));
        Assert.Equal(0, timers.GetSnapshot().Scheduled);
    }

    [Fact]
    public void CheckHealth_ServiceIsDisposed_SaysSo()
    {
        var timers = new TimerService(clock: _clock);
        var health = new TimerServiceHealth(timers, keepsSystemTime: true);
        timers.Dispose();

        Assert.False(health.CheckHealth(default, out var reason));

        Assert.Equal("The timer service has been disposed.", reason);
    }

    [Fact]
    public void Silo_WithScalableTimers_AsksTheService()
    {
        using var host = TestHosts.Silo(static silo => silo.AddScalableTimers());
        Assert.Single(host.Services.GetServices<IHealthCheckParticipant>().OfType<TimerServiceHealth>());
    }
}
