using ScalableTimers.Testing;

namespace ScalableTimers.Tests;

public class ManualTimeProviderTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void New_StandsAtItsStart()
    {
        var start = new DateTimeOffset(2026, 8, 1, 12, 0, 0, TimeSpan.Zero);
        var clock = new ManualTimeProvider(start);

        Assert.Equal((start, TimeSpan.Zero), (clock.GetUtcNow(), clock.Elapsed));
        Assert.Equal(new DateTimeOffset(2000, 1, 1, 0, 0, 0, TimeSpan.Zero), _clock.GetUtcNow());
        Assert.Same(TimeZoneInfo.Utc, _clock.LocalTimeZone);
    }

    [Fact]
    public void Advance_MovesEveryReadingAlike()
    {
        var start = (_clock.GetUtcNow(), _clock.GetTimestamp());

        _clock.Advance(TimeSpan.FromMilliseconds(1_234.5));

        Assert.Equal(TimeSpan.FromMilliseconds(1_234.5), _clock.Elapsed);
        Assert.Equal(_clock.Elapsed, _clock.GetUtcNow() - start.Item1);
        Assert.Equal(_clock.Elapsed, _clock.GetElapsedTime(start.Item2));
    }

    [Fact]
    public void SetUtcNow_LaterTime_AdvancesToItAndFires()
    {
        var fired = 0;
        using var timer = _clock.CreateTimer(_ => fired++, null, s_second, s_second);

        _clock.SetUtcNow(_clock.GetUtcNow() + (3 * s_second));

        Assert.Equal((3, 3 * s_second), (fired, _clock.Elapsed));
    }

    // Calibrated by advancing by the difference to the present time: four of five runs failed.
    [Fact]
    public void SetUtcNow_OnTwoThreadsAtOnce_TheClockStandsThere()
    {
        const int Rounds = 10_000;
        var start = _clock.GetUtcNow();
        var arrivals = 0;
        var other = new TestThread(() => Run(static () => { }));
        other.Start();
        Run(() => Assert.InRange(_clock.Elapsed, TimeSpan.Zero, Volatile.Read(ref arrivals) / 2 * s_second));
        other.End();
        Assert.Equal(Rounds * s_second, _clock.Elapsed);

        void Run(Action check)
        {
            for (var round = 1; round <= Rounds; round++)
            {
                Interlocked.Increment(ref arrivals);
                var wait = new SpinWait();
                while (Volatile.Read(ref arrivals) < 2 * round)
                {
                    TestContext.Current.CancellationToken.ThrowIfCancellationRequested();
                    wait.SpinOnce(sleep1Threshold: -1);
                }

                _clock.SetUtcNow(start + (round * s_second));
                check();
            }
        }
    }

    [Fact]
    public void SetUtcNow_EarlierTime_ThrowsNamingTheClocksAndMovesNothing()
    {
        _clock.Advance(s_second);
        var now = _clock.GetUtcNow();

        var error = Assert.Throws<ArgumentOutOfRangeException>("value", () => _clock.SetUtcNow(now - s_second));

        Assert.Contains("AdjustTime", error.Message, StringComparison.Ordinal);
        Assert.Contains($"{now:O}", error.Message, StringComparison.Ordinal);
        Assert.Equal(now, _clock.GetUtcNow());
    }

    [Theory]
    [InlineData(-86_400)]
    [InlineData(86_400)]
    public void AdjustTime_BackOrForward_SetsTheTimeOfDayAlone(int seconds)
    {
        var fired = 0;
        using var timer = _clock.CreateTimer(_ => fired++, null, 2 * s_second, Timeout.InfiniteTimeSpan);
        _clock.Advance(s_second);
        var (adjusted, timestamp) = (_clock.GetUtcNow() + (seconds * s_second), _clock.GetTimestamp());

        _clock.AdjustTime(adjusted);

        Assert.Equal((adjusted, timestamp, s_second), (_clock.GetUtcNow(), _clock.GetTimestamp(), _clock.Elapsed));
        Assert.Equal(0, fired);
        _clock.Advance(s_second);
        Assert.Equal((1, adjusted + s_second), (fired, _clock.GetUtcNow()));
    }

    [Fact]
    public void AutoAdvanceAmount_IsAddedByEachReadingOfTheTimeOfDay()
    {
        var start = _clock.GetUtcNow();
        var firedAt = TimeSpan.Zero;
        using var timer = _clock.CreateTimer(
            _ => firedAt = _clock.Elapsed, null, 1.5 * s_second, Timeout.InfiniteTimeSpan);
        _clock.AutoAdvanceAmount = s_second;

        Assert.Equal(start, _clock.GetUtcNow());
        Assert.Equal(TimeSpan.Zero, firedAt);
        Assert.Equal(start + s_second, _clock.GetUtcNow());
        Assert.Equal(1.5 * s_second, firedAt);
        Assert.Equal(2 * s_second, _clock.GetElapsedTime(0));
        Assert.Equal(2 * s_second, _clock.Elapsed);
        Assert.Throws<ArgumentOutOfRangeException>(() => _clock.AutoAdvanceAmount = -s_second);
    }

    [Fact]
    public void SetLocalTimeZone_ChangesLocalTime()
    {
        var zone = TimeZoneInfo.CreateCustomTimeZone("test", TimeSpan.FromHours(3), "test", "test");

        _clock.SetLocalTimeZone(zone);

        Assert.Same(zone, _clock.LocalTimeZone);
        Assert.Equal(TimeSpan.FromHours(3), _clock.GetLocalNow().Offset);
        Assert.Throws<ArgumentNullException>(() => _clock.SetLocalTimeZone(null!));
    }

    [Fact]
    public void Advance_Negative_Throws() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => _clock.Advance(TimeSpan.FromTicks(-1)));

    [Fact]
    public void Advance_ToTheDueTime_FiresInsideItAtThatTime()
    {
        var firedAt = TimeSpan.Zero;
        using var timer = _clock.CreateTimer(_ => firedAt = _clock.Elapsed, null, s_second, Timeout.InfiniteTimeSpan);
        Assert.Equal(1, _clock.ArmedTimers);

        _clock.Advance(s_second - TimeSpan.FromTicks(1));
        Assert.Equal(TimeSpan.Zero, firedAt);
        _clock.Advance(TimeSpan.FromMinutes(1));

        Assert.Equal(s_second, firedAt);
        Assert.Equal(0, _clock.ArmedTimers);
    }

    [Fact]
    public void Advance_SeveralTimers_FireByDueTimeThenInTheOrderOfArming()
    {
        var fired = new List<int>();
        using var first = Create(1, 2);
        using var second = Create(2, 1);
        using var third = Create(3, 2);
        using var fourth = Create(4, 2);

        // The first timer is armed again, so it is now behind the others.
        first.Change(2 * s_second, Timeout.InfiniteTimeSpan);
        _clock.Advance(2 * s_second);

        Assert.Equal([2, 3, 4, 1], fired);
        ITimer Create(int number, int seconds) =>
            _clock.CreateTimer(_ => fired.Add(number), null, seconds * s_second, Timeout.InfiniteTimeSpan);
    }

    [Fact]
    public void Advance_Periodic_FiresEachPeriod()
    {
        var fired = new List<TimeSpan>();
        using var timer = _clock.CreateTimer(_ => fired.Add(_clock.Elapsed), null, TimeSpan.Zero, s_second);

        _clock.Advance(3 * s_second);

        Assert.Equal([TimeSpan.Zero, s_second, 2 * s_second, 3 * s_second], fired);
    }

    [Fact]
    public void Advance_Zero_FiresWhatIsDue()
    {
        var fired = 0;
        using var timer = _clock.CreateTimer(_ => fired++, null, TimeSpan.Zero, Timeout.InfiniteTimeSpan);
        Assert.Equal(0, fired);

        _clock.Advance(TimeSpan.Zero);

        Assert.Equal(1, fired);
    }

    [Fact]
    public void Advance_InsideACallback_IsNotTakenBack()
    {
        var fired = new List<string>();
        using var first = _clock.CreateTimer(
            _ =>
            {
                _clock.Advance(5 * s_second);
                fired.Add("first");
            },
            null,
            s_second,
            Timeout.InfiniteTimeSpan);
        using var second = _clock.CreateTimer(_ => fired.Add("second"), null, 2 * s_second, Timeout.InfiniteTimeSpan);

        _clock.Advance(3 * s_second);

        Assert.Equal(["second", "first"], fired);
        Assert.Equal(6 * s_second, _clock.Elapsed);
    }

    [Fact]
    public void Advance_CallbackThrows_StandsThereAndCanGoOn()
    {
        var fired = 0;
        using var bad = _clock.CreateTimer(
            static _ => throw new InvalidOperationException("Thrown by the callback."),
            null,
            s_second,
            Timeout.InfiniteTimeSpan);
        using var good = _clock.CreateTimer(_ => fired++, null, s_second, Timeout.InfiniteTimeSpan);

        Assert.Throws<InvalidOperationException>(() => _clock.Advance(3 * s_second));
        Assert.Equal((s_second, 0), (_clock.Elapsed, fired));
        _clock.Advance(TimeSpan.Zero);

        Assert.Equal(1, fired);
    }

    [Fact]
    public void Change_InfiniteAndDisposed_DoesNotFire()
    {
        using var stopped = _clock.CreateTimer(static _ => Assert.Fail("Stopped."), null, s_second, s_second);
        var disposed = _clock.CreateTimer(static _ => Assert.Fail("Disposed."), null, s_second, s_second);

        Assert.True(stopped.Change(Timeout.InfiniteTimeSpan, s_second));
        disposed.Dispose();
        Assert.False(disposed.Change(s_second, s_second));
        Assert.Equal(0, _clock.ArmedTimers);

        _clock.Advance(TimeSpan.FromMinutes(1));
    }

    [Fact]
    public void Callback_RunsInTheExecutionContextOfCreation()
    {
        var local = new AsyncLocal<string?> { Value = "creation" };
        string? seen = null;
        using var timer = _clock.CreateTimer(_ => seen = local.Value, null, s_second, Timeout.InfiniteTimeSpan);
        local.Value = "later";

        _clock.Advance(s_second);

        Assert.Equal("creation", seen);
    }

    [Fact]
    public void CreateTimer_NoCallback_Throws() =>
        Assert.Throws<ArgumentNullException>(() => _clock.CreateTimer(null!, null, s_second, s_second));

    [Theory]
    [InlineData(-1.5, false)]
    [InlineData(-0.5, true)]
    public void CreateTimer_NegativeFraction_MeansWhatItMeansToTheSystem(double milliseconds, bool isDueAtOnce)
    {
        // .NET cuts durations to whole milliseconds, so -1.5 is infinite and -0.5 is zero.
        var fired = false;
        using var timer = _clock.CreateTimer(
            _ => fired = true, null, TimeSpan.FromMilliseconds(milliseconds), Timeout.InfiniteTimeSpan);

        _clock.Advance(s_second);

        Assert.Equal(isDueAtOnce, fired);
    }

    [Fact]
    public void CreateTimer_NegativeWholeMilliseconds_Throws()
    {
        Assert.Throws<ArgumentOutOfRangeException>(
            () => _clock.CreateTimer(static _ => { }, null, TimeSpan.FromMilliseconds(-2), s_second));
        Assert.Throws<ArgumentOutOfRangeException>(
            () => _clock.CreateTimer(static _ => { }, null, s_second, TimeSpan.FromMilliseconds(-2)));
    }

    [Fact]
    public void CreateTimer_HugeDueTimeAfterAnAdvance_DoesNotFireAtOnce()
    {
        _clock.Advance(s_second);
        try
        {
            using var timer = _clock.CreateTimer(
                static _ => Assert.Fail("It wrapped around."), null, TimeSpan.MaxValue, Timeout.InfiniteTimeSpan);
            _clock.Advance(s_second);
        }
        catch (ArgumentOutOfRangeException)
        {
            // Refusing the value is fine too, because the system's clock also refuses it.
        }
    }

    [Fact]
    public void Advance_BeyondTheEndOfTime_DoesNotGoUnnoticed()
    {
        _clock.Advance(s_second);
        var exception = Record.Exception(() => _clock.Advance(TimeSpan.MaxValue));

        // Advance either throws or advances the time.
        Assert.True(exception is not null || _clock.Elapsed > s_second, "Advance did nothing and said nothing.");
    }

    [Fact]
    public void Advance_ByACallbackByItsOwnPeriod_ThrowsLongBeforeTheStackEnds()
    {
        // Without the limit this test ends the process. The stack is the smallest that systems give to threads.
        var thread = new Thread(
            () => Assert.Throws<InvalidOperationException>(() => AdvanceWithin(levels: int.MaxValue)),
            maxStackSize: 256 * 1024);
        thread.Start();
        Wait.ForEnd(thread);

        var fired = 0;
        using var timer = _clock.CreateTimer(_ => fired++, null, s_second, Timeout.InfiniteTimeSpan);
        _clock.Advance(s_second);
        Assert.Equal(1, fired);
    }

    [Fact]
    public void Advance_ByCallbacksAHundredDeep_IsAllowed()
    {
        AdvanceWithin(levels: 100);

        Assert.Equal(100 * s_second, _clock.Elapsed);
    }

    [Fact]
    public async Task DisposeAsync_OfATimerThatIsNotFiring_IsCompleteAtOnce()
    {
        var timer = _clock.CreateTimer(static _ => { }, null, s_second, s_second);
        _clock.Advance(s_second);

        var disposed = timer.DisposeAsync();

        Assert.True(disposed.IsCompletedSuccessfully);
        await disposed;
        Assert.Equal(0, _clock.ArmedTimers);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task DisposeAsync_WhileTheCallbackRuns_CompletesWhenItHasEnded(bool fails)
    {
        using var isRunning = new ManualResetEventSlim();
        using var mayEnd = new ManualResetEventSlim();
        var timer = _clock.CreateTimer(
            _ =>
            {
                isRunning.Set();
                Wait.For(mayEnd, "the end of the callback");
                if (fails)
                {
                    throw new IOException("Thrown by the callback.");
                }
            },
            null,
            s_second,
            s_second);
        var advance = Task.Run(() => Record.Exception(() => _clock.Advance(s_second)));
        Wait.For(isRunning, "the callback");

        var disposed = timer.DisposeAsync().AsTask();
        var disposedAgain = timer.DisposeAsync().AsTask();
        Assert.Equal((false, false), (disposed.IsCompleted, disposedAgain.IsCompleted));
        mayEnd.Set();

        await Wait.For(Task.WhenAll(disposed, disposedAgain), "the end of disposing");
        Assert.Equal(fails, await advance is not null);
    }

    // This is the behaviour of .NET's timers, which the test checks as well.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task DisposeAsync_FromTheTimersOwnCallback_CompletesAfterTheCallback(bool isDotNets)
    {
        TimeProvider clock = isDotNets ? TimeProvider.System : _clock;
        var within = new TaskCompletionSource<(Task Disposed, bool IsCompleted)>(
            TaskCreationOptions.RunContinuationsAsynchronously);
        ITimer? timer = null;
        timer = clock.CreateTimer(
            _ =>
            {
                var disposed = timer!.DisposeAsync().AsTask();
                within.SetResult((disposed, disposed.IsCompleted));
            },
            null,
            Timeout.InfiniteTimeSpan,
            Timeout.InfiniteTimeSpan);
        timer.Change(TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan);

        _clock.Advance(s_second);

        var (disposed, isCompleted) = await Wait.For(within.Task, "the callback");
        Assert.False(isCompleted);
        await Wait.For(disposed, "the end of disposing");
    }

    // Failed by not ending while only the innermost advance threw: a callback that swallows the exception continued
    // with its next advance.
    [Fact]
    public void Advance_CallbacksAdvanceTwiceAndSwallow_ThrowsAtTheOutermost()
    {
        var callbacks = 0;
        using var timer = _clock.CreateTimer(
            _ =>
            {
                callbacks++;
                Swallow();
                Swallow();
            },
            null,
            s_second,
            s_second);

        Assert.Throws<InvalidOperationException>(() => _clock.Advance(s_second));
        Assert.InRange(callbacks, 1, 100);
        timer.Dispose();
        _clock.Advance(s_second);

        void Swallow()
        {
            try
            {
                _clock.Advance(s_second);
            }
            catch (InvalidOperationException)
            {
                // A service swallows the exceptions of its callbacks in the same way.
            }
        }
    }

    /// <summary>
    /// Fires a timer each second. Its callback advances the clock by another second, down to a number of levels.
    /// </summary>
    private void AdvanceWithin(int levels)
    {
        var level = 0;
        using var timer = _clock.CreateTimer(_ => Advance(), null, s_second, s_second);
        Advance();

        void Advance()
        {
            if (level++ < levels)
            {
                _clock.Advance(s_second);
            }
        }
    }
}
