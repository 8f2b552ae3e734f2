using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Timers;

/// <content>Timers of the time provider, which behave like .NET's and outlive the service.</content>
public sealed partial class ChangeableTimerTests
{
    /// <summary>Durations around the limits of .NET's timers.</summary>
    public static TheoryData<TimeSpan> EdgesOfTheRange() =>
    [
        TimeSpan.MinValue,
        TimeSpan.FromMilliseconds(-3),
        TimeSpan.FromMilliseconds(-2),
        TimeSpan.FromMilliseconds(-2) + TimeSpan.FromTicks(1),
        TimeSpan.FromMilliseconds(-1) - TimeSpan.FromTicks(1),
        TimeSpan.FromMilliseconds(-1),
        TimeSpan.FromMilliseconds(-1) + TimeSpan.FromTicks(1),
        TimeSpan.FromTicks(-1),
        TimeSpan.Zero,
        TimeSpan.FromTicks(1),
        TimeSpan.FromMilliseconds(0xFFFFFFFE),
        TimeSpan.FromMilliseconds(0xFFFFFFFE) + TimeSpan.FromTicks(9_999),
        TimeSpan.FromMilliseconds(0xFFFFFFFF),
        TimeSpan.MaxValue,
    ];

    // Seen to fail when a callback that had disposed its own timer no longer counted as running.
    [Fact]
    public async Task DisposeAsync_CallbackDisposesItsTimerAndThrows_OthersWaitForIt()
    {
        ITimer? timer = null;
        Task? outside = null;
        var wasCompleted = true;
        timer = _service.TimeProvider.CreateTimer(
            _ =>
            {
                _ = timer!.DisposeAsync();
                Wait.ForThread(() => outside = timer.DisposeAsync().AsTask());
                wasCompleted = outside!.IsCompleted;
                throw new InvalidOperationException("Thrown by the callback.");
            },
            null,
            s_second,
            s_second);

        _clock.Advance(s_second);

        await Wait.For(outside!, "DisposeAsync");
        Assert.False(wasCompleted);
        Assert.Equal((1L, 1L), (_service.GetSnapshot().Fired, _service.GetSnapshot().Failed));
    }

    // Seen to fail when the sum of a negative due time and a period was compared before it was cut.
    [Fact]
    public void Periodic_ClockHasGoneBack_GoesOnWhenItHasCaughtUp()
    {
        var clock = new HandClock { Timestamp = TimeSpan.TicksPerDay };
        using var service = new TimerService(new(), clock: clock);
        clock.Skip(-s_hour);
        var fired = 0;
        using var timer = service.TimeProvider.CreateTimer(_ => fired++, null, s_second, s_second);

        clock.SkipAndRing(s_hour + s_second);
        var before = fired;
        clock.SkipAndRing(s_second);

        Assert.True(before > 0 && fired > before, $"It fired {before} times, and {fired - before} later.");
    }

    [Fact]
    public void Periodic_CallbackThrows_GoesOn()
    {
        using var timer = _service.TimeProvider.CreateTimer(
            static _ => throw new InvalidOperationException("Thrown by the callback."), null, s_second, s_second);

        _clock.Advance(5 * s_second);

        Assert.Equal((5L, 5L), (_service.GetSnapshot().Fired, _service.GetSnapshot().Failed));
    }

    [Fact]
    public void Callback_RunsInTheExecutionContextOfCreation()
    {
        var local = new AsyncLocal<string> { Value = "creation" };
        string? seen = null;
        using var timer = _service.TimeProvider.CreateTimer(
            _ => seen = local.Value, null, s_second, Timeout.InfiniteTimeSpan);
        local.Value = "later";
        timer.Change(s_second, Timeout.InfiniteTimeSpan);
        _clock.Advance(s_second);

        Assert.Equal("creation", seen);
        Assert.Equal("later", local.Value);
    }

    [Fact]
    public void Callback_CreatedWithFlowSuppressed_SeesNothingOfTheCreation()
    {
        var local = new AsyncLocal<string> { Value = "creation" };
        var seen = "not called";
        ITimer timer;
        using (ExecutionContext.SuppressFlow())
        {
            timer = _service.TimeProvider.CreateTimer(
                _ => seen = local.Value, null, s_second, Timeout.InfiniteTimeSpan);
        }

        local.Value = null!;
        _clock.Advance(s_second);

        Assert.Null(seen);
        timer.Dispose();
    }

    [Fact]
    public void Drop_StoppedTimer_IsCollectable()
    {
        var stopped = Services.InAFrameOfItsOwn(() =>
        {
            var timer = CreateProvided(s_second, s_second);
            timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            return new WeakReference(timer);
        });
        var fired = Services.InAFrameOfItsOwn(
            () => new WeakReference(CreateProvided(s_second, Timeout.InfiniteTimeSpan)));
        _clock.Advance(s_second);

        Wait.ForCollection(stopped, fired);
        Assert.Single(_fired);
        GC.KeepAlive(this);
    }

    [Theory]
    [MemberData(nameof(EdgesOfTheRange))]
    public void CreateTimerAndChange_AnyDueTime_MatchTheSystemProvider(TimeSpan dueTime)
    {
        AssertSame(system => system.CreateTimer(s_ignore, null, dueTime, Timeout.InfiniteTimeSpan).Dispose());
        AssertSame(system => system.CreateTimer(s_ignore, null, Timeout.InfiniteTimeSpan, dueTime).Dispose());
        using var system = TimeProvider.System.CreateTimer(
            s_ignore, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        using var ours = _service.TimeProvider.CreateTimer(
            s_ignore, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);

        AssertSame(
            () => system.Change(dueTime, Timeout.InfiniteTimeSpan),
            () => ours.Change(dueTime, Timeout.InfiniteTimeSpan));
        AssertSame(
            () => system.Change(Timeout.InfiniteTimeSpan, dueTime),
            () => ours.Change(Timeout.InfiniteTimeSpan, dueTime));
    }

    [Fact]
    public void CreateTimer_NoCallback_MatchesTheSystemProvider() =>
        AssertSame(system => system.CreateTimer(null!, null, s_second, s_second));

    private ITimer CreateProvided(TimeSpan dueTime, TimeSpan period) =>
        _service.TimeProvider.CreateTimer(_clock.Note(_fired), null, dueTime, period);

    private void AssertSame(Action<TimeProvider> action) =>
        AssertSame(() => action(TimeProvider.System), () => action(_service.TimeProvider));

    private static void AssertSame(Action system, Action ours)
    {
        var expected = Record.Exception(system);
        var actual = Record.Exception(ours);
        Assert.Equal(expected?.GetType(), actual?.GetType());
        Assert.Equal((expected as ArgumentException)?.ParamName, (actual as ArgumentException)?.ParamName);
    }
}
