using ScalableTimers.Tests.Clock;
using System.Threading.Tasks.Sources;
using ScalableTimers.Timers;

namespace ScalableTimers.Tests.Timers;

public sealed class DelayEntryTests : IDisposable
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly TimerService _service;

    public DelayEntryTests() => _service = new TimerService(clock: _clock);

    public void Dispose() => _service.Dispose();

    [Fact]
    public void Await_SecondTime_ThrowsAndHarmsNoOtherDelay()
    {
        var first = _service.Delay(s_second);
        _clock.Advance(s_second);
        first.Read();

        // The entry is in use again when the first delay is read once more.
        var second = _service.TryDelay(s_second);
        Assert.Throws<InvalidOperationException>(() => first.Read());
        Assert.Throws<InvalidOperationException>(() => first.IsCompleted);
        Assert.Throws<InvalidOperationException>(() => first.GetAwaiter().OnCompleted(static () => { }));

        Assert.False(second.IsCompleted);
        _clock.Advance(s_second);
        Assert.True(second.Read());
        Assert.Throws<InvalidOperationException>(() => first.Read());
    }

    [Fact]
    public void Await_TwiceWhilePending_ThrowsForTheSecondAndServesTheFirst()
    {
        var delay = _service.TryDelay(s_second);
        var resumed = 0;
        delay.GetAwaiter().OnCompleted(() => resumed++);

        Assert.Throws<InvalidOperationException>(() => delay.GetAwaiter().OnCompleted(() => resumed += 100));

        _clock.Advance(s_second);
        Assert.Equal(1, resumed);
        Assert.True(delay.Read());
    }

    [Fact]
    public void Read_BeforeTheEnd_ThrowsAndLeavesTheDelayUsable()
    {
        var delay = _service.TryDelay(s_second);

        Assert.Throws<InvalidOperationException>(() => delay.Read());

        _clock.Advance(s_second);
        Assert.True(delay.Read());
    }

    [Fact]
    public void Read_EndedDelay_LeavesNoRegistrationOnALongLivedToken()
    {
        using var source = new CancellationTokenSource();
        var delays = Enumerable.Range(0, 10).Select(_ => _service.TryDelay(s_second, source.Token)).ToList();
        _clock.Advance(s_second);
        delays.ForEach(static delay => Assert.True(delay.Read()));

        Assert.Equal(0, Registrations(source));
    }

    [Fact]
    public void Drop_EndedDelay_LeavesNoRegistrationAndNoEntry()
    {
        using var source = new CancellationTokenSource();
        var entries = Services.InAFrameOfItsOwn(
            () =>
                Enumerable.Range(0, 10)
                    .Select(_ => new WeakReference(SourceOf(_service.Delay(s_second, source.Token))))
                    .ToList());
        Assert.Equal(10, Registrations(source));

        _clock.Advance(s_second);

        Assert.Equal(0, Registrations(source));
        Wait.ForCollection(entries);
        GC.KeepAlive(_service);
    }

    [Fact]
    public void Drop_CancelledByOneToken_LeavesNoRegistrationOnTheOther()
    {
        using var token = new CancellationTokenSource();
        using var scope = new CancellationTokenSource();
        _ = _service.Delay(s_hour, DelayOptions.ReportCancellation, token.Token, scope.Token);
        Assert.Equal((1, 1), (Registrations(token), Registrations(scope)));

        token.Cancel();

        Assert.Equal(0, Registrations(scope));
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }

    [Fact]
    public void Cancel_AfterAnEarlierLifeWasRead_DoesNotReachTheNext()
    {
        using var old = new CancellationTokenSource();
        var first = _service.TryDelay(s_second, old.Token);
        _clock.Advance(s_second);
        Assert.True(first.Read());
        var second = _service.TryDelay(s_second);
        Assert.Same(SourceOf(second), SourceOf(first));

        old.Cancel();

        Assert.False(second.IsCompleted);
        _clock.Advance(s_second);
        Assert.True(second.Read());
    }

    [Fact]
    public void Exception_OneOfTwoTokens_CarriesTheOneThatCausedIt()
    {
        foreach (var byScope in (bool[])[false, true])
        {
            using var token = new CancellationTokenSource();
            using var scope = new CancellationTokenSource();
            var delay = _service.Delay(s_hour, DelayOptions.None, token.Token, scope.Token);
            var cause = byScope ? scope : token;
            cause.Cancel();
            (byScope ? token : scope).Cancel();

            var exception = Assert.ThrowsAny<OperationCanceledException>(() => delay.Read());
            Assert.Equal(cause.Token, exception.CancellationToken);
        }
    }

    [Fact]
    public void Exception_StoppedService_CarriesNoToken()
    {
        using var source = new CancellationTokenSource();
        var delay = _service.Delay(s_hour, source.Token);
        _ = _service.StopAsync();

        // The token is cancelled afterwards, so it is still not the cause.
        source.Cancel();

        var exception = Assert.ThrowsAny<OperationCanceledException>(() => delay.Read());
        Assert.Equal(CancellationToken.None, exception.CancellationToken);
        Assert.Equal(0, Registrations(source));
    }

    [Fact]
    public void Stop_DelayThatSurvivesIt_GoesOn()
    {
        var ordinary = _service.Delay(
            s_second, DelayOptions.ReportCancellation, CancellationToken.None, CancellationToken.None);
        var surviving = _service.Delay(
            s_second, DelayOptions.SurvivesStop, CancellationToken.None, CancellationToken.None);

        _ = _service.StopAsync();

        Assert.True(ordinary.IsCompleted);
        Assert.False(surviving.IsCompleted);
        var begunLater = _service.Delay(
            s_second, DelayOptions.SurvivesStop, CancellationToken.None, CancellationToken.None);
        _clock.Advance(s_second);
        surviving.Read();
        begunLater.Read();
    }

    [Fact]
    public void Dispose_DelayThatSurvivesAStop_EndsIt()
    {
        var surviving = _service.Delay(
            s_second, DelayOptions.SurvivesStop, CancellationToken.None, CancellationToken.None);

        _service.Dispose();

        Assert.ThrowsAny<OperationCanceledException>(() => surviving.Read());
    }

    [Fact]
    public void Cancel_ContinuationBeginsTheNextDelayInside_BothEndOnce()
    {
        // The continuation runs inside Cancel. It reads the delay, and uses the same entry again while Cancel is still
        // on the stack.
        using var source = new CancellationTokenSource();
        var first = _service.TryDelay(s_hour, source.Token);
        ValueTask<bool> second = default;
        first.GetAwaiter().OnCompleted(() =>
        {
            Assert.False(first.Read());
            second = _service.TryDelay(s_second);
        });

        source.Cancel();

        Assert.Same(SourceOf(first), SourceOf(second));
        Assert.False(second.IsCompleted);
        _clock.Advance(s_second);
        Assert.True(second.Read());
    }

    [Fact]
    public async Task Continuation_AwaitedOnAScheduler_RunsThere()
    {
        var schedulers = new ConcurrentExclusiveSchedulerPair();
        var started = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var task = Task.Factory.StartNew(
            async () =>
            {
                var delay = _service.Delay(s_second);
                started.SetResult();
                await delay;
                return TaskScheduler.Current;
            },
            CancellationToken.None,
            TaskCreationOptions.None,
            schedulers.ExclusiveScheduler).Unwrap();
        await Wait.For(started.Task, "the delay began");

        // The scheduler is exclusive, so this runs when the first part has reached its await.
        await Task.Factory.StartNew(
            static () => { }, CancellationToken.None, TaskCreationOptions.None, schedulers.ExclusiveScheduler);
        _clock.Advance(s_second);

        Assert.Same(schedulers.ExclusiveScheduler, await Wait.For(task, "the continuation"));
    }

    private static object SourceOf(ValueTask delay) => (IValueTaskSource)Services.Field(delay, "_obj")!;

    private static object SourceOf(ValueTask<bool> delay) => (IValueTaskSource<bool>)Services.Field(delay, "_obj")!;

    /// <summary>How many callbacks are registered with a source, read from its linked list.</summary>
    private static int Registrations(CancellationTokenSource source)
    {
        if (Services.Field(source, "_registrations") is not { } registrations)
        {
            return 0;
        }

        var count = 0;
        for (
            var node = Services.Field(
                registrations, "Callbacks"); node is not null; node = Services.Field(node, "Next"))
        {
            count++;
        }

        return count;
    }
}
