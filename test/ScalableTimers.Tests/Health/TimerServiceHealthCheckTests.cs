using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using ScalableTimers.HealthChecks;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Health;

public sealed class TimerServiceHealthCheckTests
{
    private static readonly TimeSpan s_resolution = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_late = TimeSpan.FromSeconds(1);

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(0, HealthStatus.Healthy, "Timers fire on time.")]
    [InlineData(1, HealthStatus.Degraded, "A timer fired 00:00:01.0000001 after it was due.")]
    public async Task Check_TimerFiresLate_IsDegraded(int moreTicks, HealthStatus expected, string description)
    {
        var clock = new HandClock();
        await using var host = Host(clock, static options => options.DegradedLateness = s_late);
        var check = Check(host);
        await UntilScheduled(host);

        clock.Skip(s_resolution + s_late + TimeSpan.FromTicks(moreTicks));

        var entry = await RingUntilOver(clock, check);

        Assert.Equal((expected, description), (entry.Status, entry.Description));
        Assert.Equal(s_late + TimeSpan.FromTicks(moreTicks), entry.Data["lateness"]);
    }

    [Fact]
    public async Task Check_TimerDoesNotFire_IsUnhealthyAndLeavesNoTimerBehind()
    {
        await using var host = Host(new ManualTimeProvider(), static options =>
            (options.DegradedLateness, options.UnhealthyLateness) = (s_resolution, s_resolution));

        var entry = await Check(host);

        Assert.Equal(HealthStatus.Unhealthy, entry.Status);
        Assert.Equal("A timer has not fired 00:00:00.0100000 after it was due.", entry.Description);
        Assert.Equal(0, host.GetRequiredService<TimerService>().GetSnapshot().Pending);
    }

    [Fact]
    public async Task Check_ServiceIsDisposed_IsUnhealthy()
    {
        await using var host = Host(TimeProvider.System);
        host.GetRequiredService<TimerService>().Dispose();

        var entry = await Check(host);

        Assert.Equal(
            (HealthStatus.Unhealthy, "The timer service has been disposed."), (entry.Status, entry.Description));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Check_ServiceIsStopped_SaysSo(bool isStoppedMeanwhile)
    {
        var clock = new ManualTimeProvider();
        await using var host = Host(clock);
        var timers = host.GetRequiredService<TimerService>();
        if (!isStoppedMeanwhile)
        {
            await timers.StopAsync();
        }

        var check = Check(host);
        await UntilScheduled(host);
        if (isStoppedMeanwhile)
        {
            await timers.StopAsync();
        }

        clock.Advance(TimeSpan.FromSeconds(1));

        var entry = await check;
        Assert.Equal(
            (HealthStatus.Unhealthy, "The timer service has been stopped."), (entry.Status, entry.Description));
    }

    [Fact]
    public async Task Check_IsCancelled_ThrowsCancellation()
    {
        await using var host = Host(new ManualTimeProvider());
        using var cancellation = CancellationTokenSource.CreateLinkedTokenSource(Cancellation);
        var check = host.GetRequiredService<HealthCheckService>().CheckHealthAsync(cancellation.Token);
        await UntilScheduled(host);
        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => check);
    }

    // A timer expires at the end of the tick in which it is due, which is not late even with wide ticks.
    [Fact]
    public async Task Check_TicksAreWiderThanTheLatenessAllowed_IsHealthyIfTheTimerFiresAtItsTick()
    {
        var clock = new HandClock();
        await using var host = Host(clock, resolution: s_late);
        _ = host.GetRequiredService<TimerService>();
        clock.Skip(s_resolution);
        var check = Check(host);
        await UntilScheduled(host);

        clock.Skip((2 * s_late) - s_resolution);

        var entry = await RingUntilOver(clock, check);

        Assert.Equal((HealthStatus.Healthy, TimeSpan.Zero), (entry.Status, entry.Data["lateness"]));
    }

    [Fact]
    public async Task Check_TwoHostsOfOneCollection_EachHasItsOwnService()
    {
        var services = Services(TimeProvider.System);
        await using (var first = services.BuildServiceProvider())
        {
            await Check(first);
        }

        await using var second = services.BuildServiceProvider();
        Assert.NotEqual("The timer service has been disposed.", (await Check(second)).Description);
    }

    [Theory]
    [InlineData(0, 5, "DegradedLateness is 00:00:00; it must be from 00:00:00.0010000 to 00:01:00.")]
    [InlineData(2, 1, "UnhealthyLateness is 00:00:01; it must be from DegradedLateness, 00:00:02, to 00:01:00.")]
    [InlineData(1, 61, "UnhealthyLateness is 00:01:01; it must be from DegradedLateness, 00:00:01, to 00:01:00.")]
    public void Add_OptionOutOfRange_NamesIt(int degraded, int unhealthy, string message)
    {
        var error = Assert.Throws<ArgumentException>(() => Host(TimeProvider.System, options =>
        {
            options.DegradedLateness = TimeSpan.FromSeconds(degraded);
            options.UnhealthyLateness = TimeSpan.FromSeconds(unhealthy);
        }));
        Assert.Contains($"{nameof(TimerHealthOptions)}.{message}", error.Message, StringComparison.Ordinal);
    }

    private static ServiceProvider Host(
        TimeProvider clock, Action<TimerHealthOptions>? configure = null, TimeSpan? resolution = null) =>
            Services(clock, configure, resolution).BuildServiceProvider();

    private static IServiceCollection Services(
        TimeProvider clock, Action<TimerHealthOptions>? configure = null, TimeSpan? resolution = null) =>
            new ServiceCollection().AddSingleton(clock)
                .AddScalableTimers(options => options.Resolution = resolution ?? s_resolution).AddLogging()
                .AddHealthChecks().AddScalableTimers(configure).Services;

    private static async Task<HealthReportEntry> Check(ServiceProvider host)
    {
        var report = await Wait.For(
            host.GetRequiredService<HealthCheckService>().CheckHealthAsync(Cancellation), "the check ends");
        return report.Entries["scalable_timers"];
    }

    // The timer may be counted before the clock's timer is set for it.
    private static async Task<HealthReportEntry> RingUntilOver(HandClock clock, Task<HealthReportEntry> check)
    {
        while (!check.IsCompleted)
        {
            clock.Ring();
            await Task.Yield();
        }

        return await check;
    }

    private static async Task UntilScheduled(ServiceProvider host)
    {
        while (host.GetRequiredService<TimerService>().GetSnapshot().Pending == 0)
        {
            await Task.Yield();
        }
    }
}
