using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Time.Testing;
using ScalableTimers.HealthChecks;

namespace ScalableTimers.Tests.Documentation;

/// <summary>The code on the pages that does not need Orleans.</summary>
public sealed class CoreSnippets
{
    [Fact]
    public async Task Timeout_OfWorkThatIsDone_IsCancelled()
    {
        using var work = new Work();

        using var timers = new TimerService();
        using var timeout = timers.Schedule(static work => work.Abort(), work, TimeSpan.FromSeconds(30));
        await work.Completion;

        Assert.False(work.IsAborted);
        timeout.Dispose();
        Assert.Equal((0, 1L), (timers.GetSnapshot().Pending, timers.GetSnapshot().Cancelled));
    }

    [Fact]
    public void Delay_InVirtualTime_EndsWhenTheClockHasAdvanced()
    {
        var clock = new FakeTimeProvider();
        using var timers = new TimerService(new(), clock: clock);
        var delay = timers.Delay(TimeSpan.FromMinutes(5)).AsTask();

        clock.Advance(TimeSpan.FromMinutes(5));

        Assert.True(delay.IsCompletedSuccessfully);
    }

    internal static void AddHealthChecks(HostApplicationBuilder builder)
    {
        builder.Services.AddScalableTimers();
        builder.Services.AddHealthChecks().AddScalableTimers();
    }

    public static IEnumerable<string> WhoMadeThem(TimerService timers) =>
        timers.GetPending(maxCount: 10_000)
            .GroupBy(static timer => (timer.Kind, timer.Method))
            .OrderByDescending(static alike => alike.Count())
            .Select(static alike => $"{alike.Count()} {alike.Key.Kind} {alike.Key.Method ?? "unknown"}");

    [Fact]
    public void WhoMadeThem_ADelayAndTwoTimers_CountsThem()
    {
        using var timers = new TimerService(new(), clock: new FakeTimeProvider());
        _ = timers.Delay(TimeSpan.FromSeconds(1));
        timers.Schedule(Console.WriteLine, null, TimeSpan.FromSeconds(1));
        timers.Schedule(Console.WriteLine, null, TimeSpan.FromSeconds(1));

        Assert.Equal(["2 Callback System.Console.WriteLine", "1 Delay unknown"], WhoMadeThem(timers));
    }

    private sealed class Work : IDisposable
    {
        internal Task Completion { get; } = Task.CompletedTask;

        internal bool IsAborted { get; private set; }

        public void Dispose() => Completion.Dispose();

        internal void Abort() => IsAborted = true;
    }
}
