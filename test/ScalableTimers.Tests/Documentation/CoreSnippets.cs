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

    [Fact]
    public async Task Housekeeping_EveryHalfMinute_SharesWakeUps()
    {
        var clock = new FakeTimeProvider();
        using var timers = new TimerService(new(), clock: clock);
        var cache = new Cache();

        var housekeeping = timers.CreatePeriodicTimer(
            static cache => cache.RemoveOldEntries(),
            cache,
            dueTime: TimeSpan.FromSeconds(30),
            period: TimeSpan.FromSeconds(30),
            tolerance: TimeSpan.FromSeconds(3));

        clock.Advance(TimeSpan.FromMinutes(10));
        Assert.InRange(cache.Removals, 19, 20);

        await housekeeping.DisposeAsync();

        Assert.Equal(0, timers.GetSnapshot().Pending);
    }

    [Fact]
    public async Task Poll_NothingIsUploaded_IsEmptyWhenTheTimeoutHasPassed()
    {
        var clock = new FakeTimeProvider();
        using var timers = new TimerService(new(), clock: clock);
        var uploads = new TaskCompletionSource<byte[]>();
        var answer = Poll(uploads.Task, timers);

        clock.Advance(TimeSpan.FromSeconds(30));

        Assert.Empty(await Wait.For(answer, "the poll"));
    }

    private static async Task<byte[]> Poll(Task<byte[]> upload, TimerService timers)
    {
        try
        {
            return await upload.WaitAsync(timers.GetTimeoutToken(TimeSpan.FromSeconds(30)));
        }
        catch (OperationCanceledException)
        {
            return [];
        }
    }

    [Fact]
    public void Snapshot_OfAnEnum_IsClearedByClear()
    {
        using var statistics = new OperationStatistics("orders");
        statistics.Add(Phase.Load, TimeSpan.FromMilliseconds(3));
        statistics.Add(Phase.Save, TimeSpan.FromMilliseconds(7));

        Assert.Equal(
            [("Load", 1, 3), ("Save", 1, 7)],
            statistics.GetSnapshot().Select(static row => (row.Operation, row.Count, row.MaxTime.Milliseconds)));

        statistics.Clear();

        Assert.Equal([0, 0], statistics.GetSnapshot().Select(static row => row.Count));
    }

    private enum Phase
    {
        Load,
        Save,
    }

    private sealed class Cache
    {
        internal int Removals { get; private set; }

        internal void RemoveOldEntries() => Removals++;
    }

    private sealed class Work : IDisposable
    {
        internal Task Completion { get; } = Task.CompletedTask;

        internal bool IsAborted { get; private set; }

        public void Dispose() => Completion.Dispose();

        internal void Abort() => IsAborted = true;
    }
}
