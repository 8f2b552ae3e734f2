using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Internal;
using ScalableTimers;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

public sealed class ScalableTimerManagerTests : IDisposable
{
    private static readonly TimeSpan s_instant = TimeSpan.FromTicks(1);

    private readonly TwoSilos _silos;
    private readonly ManualTimeProvider _clock = new();
    private readonly TimerService _service;
    private readonly ScalableTimerManager _manager;

    public ScalableTimerManagerTests(TwoSilos silos)
    {
        _silos = silos;
        _service = new TimerService(clock: _clock);
        _manager = new ScalableTimerManager(_service);
    }

    public void Dispose() => _service.Dispose();

    [Fact]
    public void TimerManager_OfEachSilo_IsOurs() => Assert.All(_silos.Cluster.Silos, static silo =>
        Assert.IsType<ScalableTimerManager>(silo.ServiceProvider.GetRequiredService<ITimerManager>()));

    [Fact]
    public async Task Delay_ShortAndLongFromOneThread_NoneIsEarly()
    {
        // Calibrated by keeping Orleans' own manager: it fires all three timers together, soon after the shortest is
        // due.
        TimeSpan[] dueTimes =
        [
            TimeSpan.FromMilliseconds(200), TimeSpan.FromMilliseconds(1500), TimeSpan.FromMilliseconds(3000)
        ];
        foreach (
            var manager in _silos.Cluster.Silos.Select(
                static silo => silo.ServiceProvider.GetRequiredService<ITimerManager>()))
        {
            await AssertNoneIsEarly(manager, dueTimes, seed: 0);
        }
    }

    [Fact]
    public async Task Delay_ThousandOfMixedDueTimesFromOneThread_NoneIsEarly()
    {
        var seed = Environment.TickCount;
        var random = new Random(seed);
        var dueTimes = Enumerable.Range(0, 1000)
            .Select(_ => TimeSpan.FromMicroseconds(random.Next(1, 2_500_000)))
            .ToList();
        await AssertNoneIsEarly(_silos.First.ServiceProvider.GetRequiredService<ITimerManager>(), dueTimes, seed);
    }

    [Fact]
    public void Delay_Elapses_IsTrueExactlyThen()
    {
        var delay = _manager.Delay(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
        _clock.Advance(TimeSpan.FromSeconds(30) - s_instant);
        Assert.False(delay.IsCompleted);
        _clock.Advance(s_instant);
        AssertIs(true, delay);
    }

    [Theory]
    [InlineData(1_234)]
    [InlineData(1_999.9)]
    [InlineData(20_500.1)]
    public void Delay_OfAFractionOfAMillisecond_IsNotEarly(double microseconds)
    {
        // Ticks are a millisecond, so that rounding up to a tick does not hide a fraction that was cut off.
        var dueTime = TimeSpan.FromMicroseconds(microseconds);
        using var service = new TimerService(
            new ScalableTimerOptions { Resolution = TimeSpan.FromMilliseconds(1) }, _clock);
        var delay = new ScalableTimerManager(service).Delay(dueTime, TestContext.Current.CancellationToken);

        _clock.Advance(dueTime - s_instant);
        Assert.False(delay.IsCompleted);
        _clock.Advance(s_instant + TimeSpan.FromMilliseconds(1));
        AssertIs(true, delay);
    }

    [Fact]
    public async Task Delay_IsCancelled_IsFalseAlthoughTheClockStandsStill()
    {
        using var cancellation = new CancellationTokenSource();
        var delay = _manager.Delay(TimeSpan.FromHours(1), cancellation.Token);
        Assert.False(delay.IsCompleted);

        await cancellation.CancelAsync();

        Assert.False(await delay.Guarded("the cancelled delay ends"));
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Theory]
    [InlineData(3_600_000)]
    [InlineData(0)]
    [InlineData(-1)]
    public void Delay_TokenHasBeenCancelled_IsFalseAtOnce(int milliseconds) =>
        AssertIs(false, _manager.Delay(TimeSpan.FromMilliseconds(milliseconds), new CancellationToken(canceled: true)));

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(-2)]
    [InlineData(-86_400_000)]
    public void Delay_IsDueAlready_IsTrueAtTheNextTickAndNotAtOnce(int milliseconds)
    {
        var delay = _manager.Delay(TimeSpan.FromMilliseconds(milliseconds), TestContext.Current.CancellationToken);
        Assert.False(delay.IsCompleted);
        _clock.Advance(_service.Resolution());
        AssertIs(true, delay);
    }

    [Fact]
    public void Delay_ShortestDuration_IsTrueAtTheNextTick()
    {
        var delay = _manager.Delay(TimeSpan.MinValue, TestContext.Current.CancellationToken);
        _clock.Advance(_service.Resolution());
        AssertIs(true, delay);
    }

    [Theory]
    [InlineData(40)]
    [InlineData(49)]
    [InlineData(50)]
    [InlineData(365)]
    public void Delay_OfManyDays_IsTrueExactlyThen(int days)
    {
        var delay = _manager.Delay(TimeSpan.FromDays(days), TestContext.Current.CancellationToken);
        _clock.Advance(TimeSpan.FromDays(days) - s_instant);
        Assert.False(delay.IsCompleted);
        _clock.Advance(s_instant);
        AssertIs(true, delay);
    }

    [Fact]
    public async Task Delay_LongestDuration_WaitsUntilItIsCancelled()
    {
        using var cancellation = new CancellationTokenSource();
        var delay = _manager.Delay(TimeSpan.MaxValue, cancellation.Token);
        _clock.Advance(TimeSpan.FromDays(1000));
        Assert.False(delay.IsCompleted);
        await cancellation.CancelAsync();
        Assert.False(await delay.Guarded("the cancelled delay ends"));
    }

    [Fact]
    public async Task Delay_ServiceIsStopped_GoesOn()
    {
        var before = _manager.Delay(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);
        await _service.StopAsync(TestContext.Current.CancellationToken);
        var after = _manager.Delay(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);

        _clock.Advance(TimeSpan.FromMinutes(1) - s_instant);
        Assert.False(before.IsCompleted || after.IsCompleted);
        _clock.Advance(s_instant);
        AssertIs(true, before);
        AssertIs(true, after);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    public void Delay_ServiceIsDisposed_IsTrueOnTime(int days)
    {
        var delay = _manager.Delay(TimeSpan.FromDays(days), TestContext.Current.CancellationToken);
        _clock.Advance(TimeSpan.FromHours(1));

        _service.Dispose();

        Assert.False(delay.IsCompleted);
        _clock.Advance(TimeSpan.FromDays(days) - TimeSpan.FromHours(1) - s_instant);
        Assert.False(delay.IsCompleted);
        _clock.Advance(s_instant);
        AssertIs(true, delay);
    }

    [Fact]
    public void Delay_BegunAfterDisposal_TakesItsTime()
    {
        _service.Dispose();
        var delay = _manager.Delay(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);

        _clock.Advance(TimeSpan.FromMinutes(1) - s_instant);
        Assert.False(delay.IsCompleted);
        _clock.Advance(s_instant);
        AssertIs(true, delay);
    }

    [Fact]
    public async Task Delay_CancelledAfterDisposal_IsFalse()
    {
        using var cancellation = new CancellationTokenSource();
        var before = _manager.Delay(TimeSpan.FromHours(1), cancellation.Token);
        _service.Dispose();
        var after = _manager.Delay(TimeSpan.FromHours(1), cancellation.Token);
        Assert.False(before.IsCompleted || after.IsCompleted);

        await cancellation.CancelAsync();

        Assert.False(await before.Guarded("the delay from before disposal ends"));
        Assert.False(await after.Guarded("the delay from after disposal ends"));
    }

    [Fact]
    public async Task Delay_InARetryLoopAfterDisposal_DoesNotSpin()
    {
        _service.Dispose();
        var retries = 0;
        var loop = Retry();
        for (var i = 1; i <= 10; i++)
        {
            _clock.Advance(TimeSpan.FromMinutes(1) - s_instant);
            Assert.Equal(i - 1, retries);
            _clock.Advance(s_instant);
            Assert.Equal(i, retries);
        }

        await loop.Guarded("the loop ends after ten retries");

        async Task Retry()
        {
            while (retries < 10)
            {
                Assert.True(
                    await _manager.Delay(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken)
                        .ConfigureAwait(false));
                retries++;
            }
        }
    }

    private static async Task AssertNoneIsEarly(ITimerManager manager, IReadOnlyCollection<TimeSpan> dueTimes, int seed)
    {
        var waits = dueTimes.Select(async dueTime =>
        {
            var start = Stopwatch.GetTimestamp();
            var elapsed = await manager.Delay(dueTime);
            return (DueTime: dueTime, Took: Stopwatch.GetElapsedTime(start), Elapsed: elapsed);
        }).ToList();
        var results = await Task.WhenAll(waits).Guarded("delays of a few seconds end");

        Assert.All(results, static result => Assert.True(result.Elapsed));
        var early = results.Where(static result => result.Took < result.DueTime).ToList();
        Assert.True(
            early.Count == 0,
            $"Seed {seed}: {early.Count} of {results.Length} were early, the first: {early.FirstOrDefault()}.");
    }

    private static void AssertIs(bool expected, Task<bool> delay)
    {
        Assert.True(delay.IsCompletedSuccessfully);
        Assert.Equal(expected, delay.GetAwaiter().GetResult());
    }
}
