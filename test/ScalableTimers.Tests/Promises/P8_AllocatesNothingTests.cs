using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P8: a steady state allocates nothing.
/// </summary>
public sealed class P8_AllocatesNothingTests : IDisposable
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly HandClock _clock = new();
    private readonly TimerService _service;

    public P8_AllocatesNothingTests() => _service = new TimerService(new(), clock: _clock);

    public void Dispose() => _service.Dispose();

    [Fact]
    public void ScheduleAndCancel_AllocateNothing() =>
        AssertAllocatesNothing(() => Assert.True(_service.Schedule(s_ignore, null, s_hour).Cancel()));

    [Fact]
    public void ScheduleAndFire_AllocateNothing() => AssertAllocatesNothing(() =>
    {
        _service.Schedule(s_ignore, null, s_tick);
        _clock.SkipAndRing(s_tick);
    });

    [Fact]
    public void Reschedule_AllocatesNothing()
    {
        var timer = _service.Schedule(s_ignore, null, s_hour);

        AssertAllocatesNothing(() => Assert.True(timer.Reschedule(s_hour)));
    }

    [Fact]
    public void ScheduleAndCancel_OfTheSystemClock_AllocateNothing()
    {
        using var service = Services.WithSystemClock();

        AssertAllocatesNothing(() => service.Schedule(s_ignore, null, s_hour).Cancel());
    }

    [Fact]
    public void Delay_WithALongLivedTokenAwaitedToItsEnd_AllocatesNothing()
    {
        using var source = new CancellationTokenSource();
        Action resume = static () => { };
        AssertAllocatesNothing(() =>
        {
            var awaiter = _service.Delay(s_tick, source.Token).GetAwaiter();
            awaiter.UnsafeOnCompleted(resume);
            _clock.SkipAndRing(s_tick);
            awaiter.GetResult();
        });
    }

    [Fact]
    public void TryDelay_Cancelled_AllocatesNothing()
    {
        // Each source can be used only once, so all are created beforehand. Each has had a
        // registration, as a source in use would.
        var sources = new Queue<CancellationTokenSource>();
        for (var i = 0; i < Allocations.MostOperations; i++)
        {
            var source = new CancellationTokenSource();
            source.Token.UnsafeRegister(static _ => { }, null).Dispose();
            sources.Enqueue(source);
        }

        AssertAllocatesNothing(() =>
        {
            var source = sources.Dequeue();
            var delay = _service.TryDelay(s_hour, source.Token);
            source.Cancel();
            Assert.False(delay.Read());
        });
    }

    [Fact]
    public void ProviderTimer_ChangedAndFired_AllocatesNothing()
    {
        using var timer = _service.TimeProvider.CreateTimer(
            s_ignore, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

        AssertAllocatesNothing(() =>
        {
            timer.Change(s_tick, Timeout.InfiniteTimeSpan);
            _clock.SkipAndRing(s_tick);
        });
    }

    [Fact]
    public void ProviderTimer_Periodic_AllocatesNothing()
    {
        using var timer = _service.TimeProvider.CreateTimer(s_ignore, null, s_tick, s_tick);

        AssertAllocatesNothing(() => _clock.SkipAndRing(s_tick));
    }

    [Fact]
    public void PeriodicTimer_OfTheService_FiresAndChangesWithoutAllocating()
    {
        using var timer = _service.CreatePeriodicTimer(s_ignore, null, s_tick, s_tick, tolerance: s_tick);

        AssertAllocatesNothing(() => _clock.SkipAndRing(s_tick));
        AssertAllocatesNothing(() => timer.Change(s_tick, s_tick));
    }

    [Fact]
    public void GetTimeoutToken_ThatExists_AllocatesNothing()
    {
        _ = _service.GetTimeoutToken(s_hour);

        AssertAllocatesNothing(() => _service.GetTimeoutToken(s_hour));
    }

    [Fact]
    public void GetSnapshot_AllocatesNothing() => AssertAllocatesNothing(() => _service.GetSnapshot());

    private static void AssertAllocatesNothing(Action operation) => Assert.Equal(0, Allocations.Least(operation));
}
