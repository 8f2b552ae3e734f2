using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Testing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P10: <c>StopAsync</c> ends delays. <c>Dispose</c> drops callbacks; timers of .NET types go on.
/// </summary>
public class P10_StoppingHasTwoStepsTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();

    // Failed while a queue published the start of its earliest slot when it entered the phase: the driver, which had
    // not been told, slept past the timer.
    [Fact]
    public void Stop_ATimerIsPending_AnEarlierOneIsStillOnTime()
    {
        using var service = new TimerService(new(), clock: _clock);
        service.Schedule(static _ => { }, null, s_second * 80);
        _ = service.StopAsync();
        var firedAt = TimeSpan.Zero;
        service.Schedule(_ => firedAt = _clock.Elapsed, null, s_second * 45);

        _clock.Advance(s_second * 80);

        Assert.Equal(s_second * 45, firedAt);
    }

    // Failed while the first exception ended the loop, so the other delays did not end.
    [Theory]
    [InlineData(CallbackExceptions.Log)]
    [InlineData(CallbackExceptions.Throw)]
    public void Stop_ContinuationThrows_EndsTheOthers(CallbackExceptions exceptions)
    {
        var log = new FakeLogger<TimerService>();
        using var service = new TimerService(new() { CallbackExceptions = exceptions }, clock: _clock, logger: log);
        var ended = 0;
        for (var i = 0; i < 10; i++)
        {
            service.Delay(s_second).GetAwaiter().UnsafeOnCompleted(() =>
            {
                ended++;
                throw new InvalidOperationException("A continuation has thrown.");
            });
        }

        var logs = exceptions == CallbackExceptions.Log;
        Assert.Equal(logs, Record.Exception(() => { _ = service.StopAsync(); }) is null);

        Assert.Equal((10, 0), (ended, service.GetSnapshot().Pending));
        Assert.Equal(
            logs ? 10 : 0, log.Collector.GetSnapshot().Count(static entry => entry.Level == LogLevel.Error));
    }

    [Fact]
    public void Stop_TimersStillWork()
    {
        using var service = new TimerService(new(), clock: _clock);
        var fired = new List<string>();
        void Begin(string when)
        {
            _ = service.Schedule(_ => fired.Add(when), null, s_second);
            _ = service.CreatePeriodicTimer(_ => fired.Add(when), null, s_second, Timeout.InfiniteTimeSpan);
            _ = service.TimeProvider.CreateTimer(_ => fired.Add(when), null, s_second, Timeout.InfiniteTimeSpan);
            _ = service.GetTimeoutToken(s_second).Register(() => fired.Add(when));
        }

        Begin("before");
        _ = service.StopAsync();
        Begin("after");
        _clock.Advance(s_second);

        Assert.Equal(4, fired.Count(static when => when == "before"));
        Assert.Equal(4, fired.Count(static when => when == "after"));
    }

    [Fact]
    public void Dispose_ScheduledCallbacks_AreDroppedAndCountedAndReleased()
    {
        var service = new TimerService(new(), clock: _clock);
        var states = Services.InAFrameOfItsOwn(() => Enumerable.Range(0, 100).Select(_ =>
        {
            var state = new object();
            service.Schedule(static _ => Assert.Fail("Dropped."), state, s_second);
            return new WeakReference(state);
        }).ToList());

        service.Dispose();
        _clock.Advance(s_second);

        Assert.Equal((100L, 0L), (service.GetSnapshot().Dropped, service.GetSnapshot().Fired));
        Wait.ForCollection(states);
    }

    [Fact]
    public void Dispose_TaskDelaysArePending_TheyEndOnTime()
    {
        var service = new TimerService(new(), clock: _clock);
        var random = new Random(4);
        var expected = new List<TimeSpan>();
        var tasks = new List<Task>();
        var early = 0;
        for (var i = 0; i < 300; i++)
        {
            var dueTime = TimeSpan.FromMilliseconds(random.Next(1, 10_000));
            expected.Add(dueTime);
            tasks.Add(Task.Delay(dueTime, service.TimeProvider, TestContext.Current.CancellationToken).ContinueWith(
                _ =>
                    early += _clock.Elapsed < dueTime || _clock.Elapsed > dueTime + TimeSpan.FromMilliseconds(10)
                        ? 1
                        : 0,
                TestContext.Current.CancellationToken,
                TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default));
        }

        _clock.Advance(TimeSpan.FromSeconds(2));
        service.Dispose();
        Assert.Equal(
            expected.Count(static dueTime => dueTime > TimeSpan.FromSeconds(2)), service.GetSnapshot().Pending, 2d);
        _clock.Advance(TimeSpan.FromSeconds(8));

        Assert.All(tasks, static task => Assert.True(task.IsCompletedSuccessfully));
        Assert.Equal(0, early);
    }

    [Fact]
    public void Disposed_EveryMember_DoesAsPromised()
    {
        var service = new TimerService(new(), clock: _clock);
        service.Dispose();
        service.Dispose();

        foreach (var dueTime in (TimeSpan[])[TimeSpan.Zero, s_second])
        {
            Assert.Throws<ObjectDisposedException>(() => service.Schedule(static _ => { }, null, dueTime));
            Assert.Throws<ObjectDisposedException>(() => { _ = service.Delay(dueTime); });
            Assert.Throws<ObjectDisposedException>(() => { _ = service.TryDelay(dueTime); });
        }

        Assert.True(service.StopAsync().IsCompletedSuccessfully);
        Assert.True(service.DisposeAsync().IsCompletedSuccessfully);
        Assert.Equal(0, service.GetSnapshot().Pending);
        var delay = Task.Delay(s_second, service.TimeProvider, TestContext.Current.CancellationToken);
        var token = service.GetTimeoutToken(s_second);
        Assert.False(delay.IsCompleted);
        _clock.Advance(s_second);
        Assert.True(delay.IsCompletedSuccessfully);
        Assert.True(token.IsCancellationRequested);
        Assert.Equal(0, _clock.ArmedTimers);
    }
}
