using ScalableTimers.Testing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Timers;

/// <summary>Firings that come due while their timer's callback runs.</summary>
public sealed class ServiceTimerOverlapTests : IDisposable
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly TimerService _onThePool;
    private readonly TimerService _inOrder;
    private readonly SemaphoreSlim _started = new(0);
    private readonly SemaphoreSlim _release = new(0);

    public ServiceTimerOverlapTests()
    {
        _onThePool = Services.OnThePool(_clock);
        _inOrder = new TimerService(clock: _clock);
    }

    public void Dispose()
    {
        _onThePool.Dispose();
        _inOrder.Dispose();
        _started.Dispose();
        _release.Dispose();
    }

    // Seen to fail when _isFiring was cleared at the callback's start: a second callback started.
    [Fact]
    public async Task Skip_CallbackOutlastsItsPeriod_IsNotReentered()
    {
        using var timer = _onThePool.CreateTimer(Block, null, s_second, s_second);
        _clock.Advance(s_second);
        await Started();

        _clock.Advance(3 * s_second);

        Assert.Equal(3, _onThePool.GetSnapshot().Skipped);
        _release.Release();
        await Ended(timer);
        Assert.Equal(0, _started.CurrentCount);

        // The firing is counted a moment after the callback has returned.
        await Wait.For(_onThePool.DisposeAsync().AsTask(), "the count");
        Assert.Equal(1, _onThePool.GetSnapshot().Fired);
    }

    [Fact]
    public void Skip_CallbackHasReturned_FiresAtTheNextMoment()
    {
        var firings = 0;
        using var timer = _inOrder.CreateTimer(
            _ =>
            {
                // The clock advances inside the first callback.
                if (++firings == 1)
                {
                    _clock.Advance(TimeSpan.FromMilliseconds(2_500));
                }
            },
            null,
            s_second,
            s_second);

        _clock.Advance(s_second);
        Assert.Equal((1, 2L), (firings, _inOrder.GetSnapshot().Skipped));
        _clock.Advance(TimeSpan.FromMilliseconds(500));

        Assert.Equal((2, 2L), (firings, _inOrder.GetSnapshot().Skipped));
    }

    [Fact]
    public async Task Allow_CallbackOutlastsItsPeriod_RunsBesideItself()
    {
        using var timer = _onThePool.CreateTimer(
            Block, null, s_second, s_second, new PeriodicTimerOptions { Overlap = TimerOverlap.Allow });

        for (var i = 0; i < 3; i++)
        {
            _clock.Advance(s_second);
            await Started();
        }

        Assert.Equal(0, _onThePool.GetSnapshot().Skipped);
        _release.Release(3);
        await Ended(timer);
    }

    [Fact]
    public void Skip_LastFiringComesDuringTheCallback_FiresWhenItHasReturned()
    {
        ITimer? timer = null;
        var depth = 0;
        var firings = new List<int>();
        timer = _inOrder.CreateTimer(
            _ =>
            {
                firings.Add(++depth);
                if (firings.Count == 1)
                {
                    // The callback arms its own timer and lasts longer than its due time. If that firing were skipped,
                    // the timer would never fire again.
                    timer!.Change(s_second, Timeout.InfiniteTimeSpan);
                    _clock.Advance(5 * s_second);
                }

                depth--;
            },
            null,
            s_second,
            Timeout.InfiniteTimeSpan);

        _clock.Advance(s_second);
        _clock.Advance(TimeSpan.Zero);

        Assert.Equal([1, 1], firings);
        Assert.Equal(
            (0L, 0L, 2L),
            (_inOrder.GetSnapshot().Pending, _inOrder.GetSnapshot().Skipped, _inOrder.GetSnapshot().Fired));
        timer.Dispose();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Skip_LastFiringWaitsAndIsChangedOrDisposed_DoesNotFire(bool isDisposed)
    {
        ITimer? timer = null;
        var firings = 0;
        timer = _inOrder.CreateTimer(
            _ =>
            {
                firings++;
                timer!.Change(s_second, Timeout.InfiniteTimeSpan);
                _clock.Advance(5 * s_second);
                if (isDisposed)
                {
                    timer.Dispose();
                }
                else
                {
                    timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
                }
            },
            null,
            s_second,
            Timeout.InfiniteTimeSpan);

        _clock.Advance(s_second);
        _clock.Advance(10 * s_second);

        Assert.Equal(1, firings);
        timer.Dispose();
    }

    [Fact]
    public async Task Skip_CallbackThrows_FiresAgain()
    {
        using var timer = _onThePool.CreateTimer(
            _ =>
            {
                _started.Release();
                throw new InvalidOperationException("Thrown by the callback.");
            },
            null,
            Timeout.InfiniteTimeSpan,
            s_second);

        for (var i = 1; i <= 3; i++)
        {
            timer.Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan);
            _clock.Advance(TimeSpan.Zero);
            await Started();

            // A firing that was postponed would need another advance of the clock, and there is none here. So the test
            // waits for the end of the callback.
            Wait.Until(() => _onThePool.GetSnapshot().Failed == i, "the callback's end");
        }
    }

    [Fact]
    public async Task DisposeOfTheService_CallbackRuns_DropsTheFiringThatWaits()
    {
        var timer = _onThePool.CreateTimer(Block, null, s_second, Timeout.InfiniteTimeSpan);
        _clock.Advance(s_second);
        await Started();
        timer.Change(s_second, Timeout.InfiniteTimeSpan);
        _clock.Advance(s_second);

        _onThePool.Dispose();
        _release.Release();
        await Ended(timer);
        _clock.Advance(10 * s_second);

        Assert.Equal(0, _started.CurrentCount);
        Assert.Equal(0, _onThePool.GetSnapshot().Pending);
    }

    // Failed while the timer counted as running until the clock had been read: all later moments were skipped.
    [Fact]
    public async Task Skip_ClockFailsWhenAFiringIsOwed_FiresAgainLater()
    {
        var clock = new HandClock { RingsInChange = true };
        await using var service = Services.OnThePool(clock);
        var firings = 0;
        using var again = new ManualResetEventSlim();
        ITimer? timer = null;
        timer = service.CreateTimer(
            _ =>
            {
                if (++firings > 1)
                {
                    again.Set();
                    return;
                }

                timer!.Change(s_second, Timeout.InfiniteTimeSpan);
                clock.SkipAndRing(s_second);
                clock.BeforeReading = static () => throw new IOException("Thrown by the clock.");
            },
            null,
            s_second,
            Timeout.InfiniteTimeSpan);
        clock.SkipAndRing(s_second);
        Wait.Until(() => service.GetSnapshot().Failed == 1, "the clock's failure");
        clock.BeforeReading = null;

        timer.Change(s_second, Timeout.InfiniteTimeSpan);
        clock.SkipAndRing(s_second);

        Wait.For(again, "another firing");
    }

    // The postponed firing was removed before the clock was read, and never ran.
    [Fact]
    public async Task Skip_ClockFailsOnceWhenAFiringIsOwed_ItComesAllTheSame()
    {
        var clock = new HandClock { RingsInChange = true };
        await using var service = Services.OnThePool(clock);
        var firings = 0;
        using var again = new ManualResetEventSlim();
        ITimer? timer = null;
        timer = service.CreateTimer(
            _ =>
            {
                if (++firings > 1)
                {
                    again.Set();
                    return;
                }

                timer!.Change(s_second, Timeout.InfiniteTimeSpan);
                clock.SkipAndRing(s_second);

                // The thread that has rung may still have to read the clock, to set its own timer.
                var me = Environment.CurrentManagedThreadId;
                clock.BeforeReading = () =>
                {
                    if (Environment.CurrentManagedThreadId == me)
                    {
                        clock.BeforeReading = null;
                        throw new IOException("Thrown by the clock.");
                    }
                };
            },
            null,
            s_second,
            Timeout.InfiniteTimeSpan);
        clock.SkipAndRing(s_second);

        Wait.For(again, "the firing that is owed");
        timer.Dispose();
        Assert.Equal(1, service.GetSnapshot().Failed);
    }

    private void Block(object? state)
    {
        _started.Release();
        Assert.True(_release.Wait(TimeSpan.FromSeconds(30)), "Never came: release.");
    }

    private async Task Started() =>
        Assert.True(await _started.WaitAsync(TimeSpan.FromSeconds(30)), "Never came: a callback.");

    private static Task Ended(ITimer timer) => Wait.For(timer.DisposeAsync().AsTask(), "DisposeAsync");
}
