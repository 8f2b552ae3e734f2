namespace ScalableTimers.Tests.Faults;

/// <summary>
/// A clock that fails once, as when memory has run out, or that blocks, or that uses the service that reads it.
/// </summary>
public sealed class FaultyClockTests : IDisposable
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly FaultyClock _clock = new();
    private readonly TimerService _service;
    private int _fired;

    public FaultyClockTests() => _service = new TimerService(clock: _clock);

    public void Dispose() => _service.Dispose();

    [Fact]
    public void CreateTimer_ThrowsOnce_SoDoesTheConstructorAndTheNextOneWorks()
    {
        _clock.BeforeCreating = FaultyClock.ThrowOnce();
        _ = Assert.Throws<InsufficientMemoryException>(() => new TimerService(clock: _clock));

        using var service = new TimerService(clock: _clock);
        Schedule(service, s_second);
        _clock.Advance(s_second);

        Assert.Equal((1, 0), (_fired, _clock.ArmedTimers));
    }

    [Fact]
    public void GetTimestamp_ThrowsInSchedule_NothingIsScheduledAndTheNextTimerFires()
    {
        _clock.BeforeReading = FaultyClock.ThrowOnce();
        _ = Assert.Throws<InsufficientMemoryException>(() => Schedule(_service, s_second));
        Assert.Equal(0, _service.GetSnapshot().Pending);

        Schedule(_service, s_second);
        Wait.ForThread(() => Schedule(_service, s_second));
        _clock.Advance(s_second);

        Assert.Equal(2, _fired);
    }

    [Fact]
    public void GetTimestamp_ThrowsInDelay_NothingIsPendingAndTheNextDelayEnds()
    {
        _clock.BeforeReading = FaultyClock.ThrowOnce();
        _ = Assert.Throws<InsufficientMemoryException>(
            () => _ = _service.TryDelay(s_second, TestContext.Current.CancellationToken));
        Assert.Equal(0, _service.GetSnapshot().Pending);

        var delay = _service.TryDelay(s_second, TestContext.Current.CancellationToken);
        _clock.Advance(s_second);

        Assert.True(delay.Read());
    }

    [Fact]
    public void GetTimestamp_BlocksOneThread_AnotherCanScheduleAndCancel()
    {
        using var isReading = new ManualResetEventSlim();
        using var release = new ManualResetEventSlim();
        using var service = new TimerService(new ScalableTimerOptions { Firing = FiringMode.ThreadPool }, _clock);
        var blocked = new TestThread(() =>
        {
            // The first timer of a thread takes a lock that all threads share, and reads the clock under it.
            Schedule(service, s_second);
            _clock.BeforeReading = () =>
            {
                _clock.BeforeReading = null;
                isReading.Set();
                Wait.For(release, "the others, while one reads the clock");
            };
            Schedule(service, s_second);
        });
        blocked.Start();
        Wait.For(isReading, "the thread that is blocked");

        Wait.ForThread(() => Assert.True(service.Schedule(static _ => { }, null, s_second).Cancel()));

        release.Set();
        blocked.End();
        Assert.Equal((2L, 1L), (service.GetSnapshot().Pending, service.GetSnapshot().Cancelled));
    }

    [Fact]
    public void GetTimestamp_UsesTheService_WhatItSchedulesFires()
    {
        _clock.BeforeReading = () =>
        {
            _clock.BeforeReading = null;
            Schedule(_service, s_second / 2);
            _ = _service.GetTimeoutToken(s_second);
        };

        Schedule(_service, s_second);
        _clock.Advance(s_second);

        Assert.Equal(2, _fired);
    }

    [Fact]
    public void GetTimestamp_DisposesTheService_EndsTheCallThatReads()
    {
        Schedule(_service, s_second);
        _clock.BeforeReading = () =>
        {
            _clock.BeforeReading = null;
            _service.Dispose();
        };

        _ = Record.Exception(() => Schedule(_service, s_second));
        _clock.Advance(s_second);

        var counted = _service.GetSnapshot();
        Assert.Equal((0, 0L), (_fired, counted.Pending));
        Assert.Equal(counted.Scheduled, counted.Dropped);
        _ = Assert.Throws<ObjectDisposedException>(() => Schedule(_service, s_second));
    }

    // Calibrated by entering the dispatcher after a timer has been taken out. The clock's timer is set between the two.
    [Fact]
    public void DisposeAsync_BesideATimerThatHasBeenTakenOut_WaitsForItsCallback()
    {
        Task? disposing = null;
        var wasDisposed = false;
        _ = _service.Schedule(_ => wasDisposed = disposing!.IsCompleted, null, s_second);
        _clock.BeforeChanging = () =>
        {
            _clock.BeforeChanging = null;
            Wait.ForThread(() => disposing = _service.DisposeAsync().AsTask());
        };

        _clock.Advance(s_second);

        Assert.False(wasDisposed, "DisposeAsync had completed when the callback began.");
        Assert.True(disposing!.IsCompleted);
    }

    private void Schedule(TimerService service, TimeSpan dueTime) =>
        _ = service.Schedule(_ => Interlocked.Increment(ref _fired), null, dueTime);
}
