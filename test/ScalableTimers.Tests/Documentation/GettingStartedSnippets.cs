using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Polly;
using Microsoft.Extensions.Time.Testing;

namespace ScalableTimers.Tests.Documentation;

/// <summary>
/// The code of the page on getting started. What comes after does what came before, in virtual time.
/// </summary>
public sealed class GettingStartedSnippets : IDisposable
{
    private readonly FakeTimeProvider _clock = new();
    private readonly TimerService _timers;

    public GettingStartedSnippets() => _timers = new TimerService(clock: _clock);

    public void Dispose() => _timers.Dispose();

    [Fact]
    public async Task Delay_After_EndsOnTimeOrByItsToken()
    {
        using var source = new CancellationTokenSource();
        var waiting = DelayAfter(_timers, source.Token);
        _clock.Advance(TimeSpan.FromSeconds(5));
        await Wait.For(waiting, "the delay");

        waiting = DelayAfter(_timers, source.Token);
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Wait.For(waiting, "the cancelled delay"));
    }

    [Fact]
    public async Task WaitAsync_After_ThrowsWhatWaitAsyncThrows()
    {
        var answer = new TaskCompletionSource<int>();
        var waiting = WaitAfter(answer.Task, _timers);
        _clock.Advance(TimeSpan.FromSeconds(5));
        await Assert.ThrowsAsync<TimeoutException>(() => Wait.For(waiting, "the timeout"));

        answer.SetResult(1);
        Assert.Equal(1, await Wait.For(WaitAfter(answer.Task, _timers), "the answer"));
        Assert.Equal(0, _timers.GetSnapshot().Pending);
    }

    [Fact]
    public async Task Source_After_EndsByTimeoutOrCaller()
    {
        using var caller = new CancellationTokenSource();
        var call = SourceAfter(Call, _timers, caller.Token);
        _clock.Advance(TimeSpan.FromSeconds(30));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Wait.For(call, "the timeout"));

        call = SourceAfter(Call, _timers, caller.Token);
        await caller.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Wait.For(call, "the cancelled call"));

        static Task Call(CancellationToken token) => Task.Delay(Timeout.Infinite, token);
    }

    [Fact]
    public async Task OneShotTimer_After_AbortsWorkThatIsNotDone()
    {
        var work = new Work();
        var watched = TimerAfter(work, _timers);
        _clock.Advance(TimeSpan.FromSeconds(30));
        Assert.True(work.IsAborted);

        work.Done.SetResult();
        await Wait.For(watched, "the work");
    }

    [Fact]
    public void PeriodicTimers_After_Fire()
    {
        var cache = new Cache();
        using (PeriodicAfter(cache, _timers))
        {
            _clock.Advance(TimeSpan.FromMinutes(10));
            Assert.InRange(cache.Removals, 9, 10);
        }

        Assert.Equal(0, _timers.GetSnapshot().Pending);
    }

    [Fact]
    public async Task PeriodicLoop_After_TicksUntilItsToken()
    {
        var cache = new Cache();
        using var source = new CancellationTokenSource();
        var loop = LoopAfter(cache, _timers, source.Token);
        _clock.Advance(TimeSpan.FromMinutes(1));
        await Wait.For(cache.FirstRemoval, "the first tick");
        Assert.Equal(1, cache.Removals);

        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Wait.For(loop, "the end of the loop"));
    }

    [Fact]
    public async Task Polly_After_TimesOutByTheService()
    {
        var call = PollyAfter(_timers)
            .ExecuteAsync(static async token => await Task.Delay(Timeout.Infinite, token))
            .AsTask();
        _clock.Advance(TimeSpan.FromSeconds(10));

        await Assert.ThrowsAsync<Polly.Timeout.TimeoutRejectedException>(() => Wait.For(call, "the timeout"));
    }

    [Fact]
    public async Task Polly_Before_TakesNoNoticeOfTheService()
    {
        var answer = await PollyBefore().ExecuteAsync(static token => ValueTask.FromResult(token.CanBeCanceled));

        Assert.True(answer);
        Assert.Equal(0, _timers.GetSnapshot().Scheduled);
    }

    [Fact]
    public async Task Before_OnTheSystemsClock_DoesTheSame()
    {
        using var source = new CancellationTokenSource();
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => DelayBefore(source.Token));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => SourceBefore(static token => Task.Delay(Timeout.Infinite, token), source.Token));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => LoopBefore(new Cache(), source.Token));
        Assert.Equal(1, await WaitBefore(Task.FromResult(1)));
        var work = new Work();
        work.Done.SetResult();
        await TimerBefore(work);
        Assert.False(work.IsAborted);
        PeriodicBefore(new Cache()).Dispose();
    }

    [Fact]
    public void Host_ServiceAndItsTimeProvider_ComeFromTheContainer()
    {
        var builder = Host.CreateApplicationBuilder();

        builder.Services.AddScalableTimers();
        builder.Services.AddKeyedSingleton("scalable", static (services, _) =>
            services.GetRequiredService<TimerService>().TimeProvider);

        builder.Services.AddSingleton<Reports>();
        using var host = builder.Build();
        Assert.Same(
            host.Services.GetRequiredService<TimerService>().TimeProvider,
            host.Services.GetRequiredService<Reports>().TimeProvider);
    }

    private static async Task DelayBefore(CancellationToken cancellationToken)
    {
        await Task.Delay(TimeSpan.FromSeconds(5), cancellationToken);
    }

    private static async Task DelayAfter(TimerService timers, CancellationToken cancellationToken)
    {
        await timers.Delay(TimeSpan.FromSeconds(5), cancellationToken);
    }

    private static async Task<int> WaitBefore(Task<int> answer)
    {
        return await answer.WaitAsync(TimeSpan.FromSeconds(5));
    }

    private static async Task<int> WaitAfter(Task<int> answer, TimerService timers)
    {
        return await answer.WaitAsync(TimeSpan.FromSeconds(5), timers.TimeProvider);
    }

    private static async Task SourceBefore(Func<CancellationToken, Task> call, CancellationToken cancellationToken)
    {
        using var source = CancellationTokenSource
            .CreateLinkedTokenSource(cancellationToken);
        source.CancelAfter(TimeSpan.FromSeconds(30));
        await call(source.Token);
    }

    private static async Task SourceAfter(
        Func<CancellationToken, Task> call, TimerService timers, CancellationToken cancellationToken)
    {
        using var lease = timers.RentTimeout(
            TimeSpan.FromSeconds(30), cancellationToken);
        await call(lease.Token);
    }

    private static async Task TimerBefore(Work work)
    {
        using var timeout = new Timer(
            static work => ((Work)work!).Abort(), work,
            TimeSpan.FromSeconds(30), Timeout.InfiniteTimeSpan);
        await work.Completion;
    }

    private static async Task TimerAfter(Work work, TimerService timers)
    {
        var timeout = timers.Schedule(
            static work => ((Work)work!).Abort(), work,
            TimeSpan.FromSeconds(30));
        await work.Completion;
        timeout.Cancel();
    }

    private static Timer PeriodicBefore(Cache cache)
    {
        var timer = new Timer(
            static cache => ((Cache)cache!).RemoveOldEntries(), cache,
            TimeSpan.FromMinutes(1), TimeSpan.FromMinutes(1));
        return timer;
    }

    private static ITimer PeriodicAfter(Cache cache, TimerService timers)
    {
        var timer = timers.CreateTimer(
            static cache => ((Cache)cache!).RemoveOldEntries(), cache,
            TimeSpan.FromMinutes(1), TimeSpan.FromMinutes(1),
            new() { Tolerance = TimeSpan.FromSeconds(6) });
        return timer;
    }

    private static async Task LoopBefore(Cache cache, CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMinutes(1));
        while (await timer.WaitForNextTickAsync(cancellationToken))
        {
            cache.RemoveOldEntries();
        }
    }

    private static async Task LoopAfter(Cache cache, TimerService timers, CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(
            TimeSpan.FromMinutes(1), timers.TimeProvider);
        while (await timer.WaitForNextTickAsync(cancellationToken))
        {
            cache.RemoveOldEntries();
        }
    }

    private static ResiliencePipeline PollyBefore()
    {
        var builder = new ResiliencePipelineBuilder();
        var pipeline = builder
            .AddTimeout(TimeSpan.FromSeconds(10))
            .Build();
        return pipeline;
    }

    private static ResiliencePipeline PollyAfter(TimerService timers)
    {
        var builder = new ResiliencePipelineBuilder();
        builder.TimeProvider = timers.TimeProvider;
        var pipeline = builder
            .AddTimeout(TimeSpan.FromSeconds(10))
            .Build();
        return pipeline;
    }

    public sealed class Reports([FromKeyedServices("scalable")] TimeProvider timeProvider)
    {
        public TimeProvider TimeProvider => timeProvider;
    }

    private sealed class Work
    {
        internal TaskCompletionSource Done { get; } = new();

        internal Task Completion => Done.Task;

        internal bool IsAborted { get; private set; }

        internal void Abort() => IsAborted = true;
    }

    private sealed class Cache
    {
        private readonly TaskCompletionSource _removed = new();

        internal Task FirstRemoval => _removed.Task;

        internal int Removals { get; private set; }

        internal void RemoveOldEntries()
        {
            Removals++;
            _removed.TrySetResult();
        }
    }
}
