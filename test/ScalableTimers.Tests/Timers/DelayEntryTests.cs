using System.Threading.Tasks.Sources;
using ScalableTimers.Timers;

namespace ScalableTimers.Tests.Timers;

public sealed class DelayEntryTests : InVirtualTime
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    [Fact]
    public void Await_SecondTime_ThrowsAndHarmsNoOtherDelay()
    {
        var first = Service.Delay(s_second);
        Clock.Advance(s_second);
        first.Read();

        // The entry is in use again when the first delay is read a second time.
        var second = Service.TryDelay(s_second);
        Assert.Throws<InvalidOperationException>(() => first.Read());
        Assert.Throws<InvalidOperationException>(() => first.IsCompleted);
        Assert.Throws<InvalidOperationException>(() => first.GetAwaiter().OnCompleted(static () => { }));

        Assert.False(second.IsCompleted);
        Clock.Advance(s_second);
        Assert.True(second.Read());
        Assert.Throws<InvalidOperationException>(() => first.Read());
    }

    [Fact]
    public void Drop_EndedDelay_LeavesNoRegistrationAndNoEntry()
    {
        using var source = new CancellationTokenSource();
        var entries = Services.InAFrameOfItsOwn(
            () =>
                Enumerable.Range(0, 10)
                    .Select(_ => new WeakReference(SourceOf(Service.Delay(s_second, source.Token))))
                    .ToList());
        Assert.Equal(10, Registrations(source));

        Clock.Advance(s_second);

        Assert.Equal(0, Registrations(source));
        Wait.ForCollection(entries);
        GC.KeepAlive(Service);
    }

    [Fact]
    public void Drop_CancelledByOneToken_LeavesNoRegistrationOnTheOther()
    {
        using var token = new CancellationTokenSource();
        using var scope = new CancellationTokenSource();
        _ = Service.Delay(s_hour, DelayOptions.ReportCancellation, new TokenScope(scope.Token), token.Token);
        Assert.Equal((1, 1), (Registrations(token), Registrations(scope)));

        token.Cancel();

        Wait.Until(() => Registrations(scope) == 0, "the end of the registration with the other token");
        Assert.Equal(0, Service.GetSnapshot().Pending);
    }

    [Fact]
    public void Exception_OneOfTwoTokens_CarriesTheOneThatCausedIt()
    {
        foreach (var byScope in (bool[])[false, true])
        {
            using var token = new CancellationTokenSource();
            using var scope = new CancellationTokenSource();
            var delay = Service.Delay(s_hour, DelayOptions.None, new TokenScope(scope.Token), token.Token);
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
        var delay = Service.Delay(s_hour, source.Token);
        _ = Service.StopAsync();

        // The token is cancelled afterwards, so it is still not the cause.
        source.Cancel();

        var exception = Assert.ThrowsAny<OperationCanceledException>(() => delay.Read());
        Assert.Equal(CancellationToken.None, exception.CancellationToken);
        Assert.Equal(0, Registrations(source));
    }

    /// <summary>That token tells callers of a grain why their calls ended.</summary>
    [Fact]
    public void Exception_StoppedServiceAndASecondToken_CarriesTheSecond()
    {
        using var scope = new CancellationTokenSource();
        var pending = Service.Delay(s_hour, DelayOptions.None, new TokenScope(scope.Token), CancellationToken.None);
        _ = Service.StopAsync();
        var begunLater = Service.Delay(s_hour, DelayOptions.None, new TokenScope(scope.Token), CancellationToken.None);

        Clock.Advance(s_second);
        foreach (var delay in new[] { pending, begunLater })
        {
            var exception = Assert.ThrowsAny<OperationCanceledException>(() => delay.Read());
            Assert.Equal(scope.Token, exception.CancellationToken);
        }
    }

    [Fact]
    public void Stop_DelayThatSurvivesIt_GoesOn()
    {
        var ordinary = Service.Delay(s_second, DelayOptions.ReportCancellation, scope: null, CancellationToken.None);
        var surviving = Service.Delay(s_second, DelayOptions.SurvivesStop, scope: null, CancellationToken.None);

        _ = Service.StopAsync();

        Assert.True(ordinary.IsCompleted);
        Assert.False(surviving.IsCompleted);
        var begunLater = Service.Delay(s_second, DelayOptions.SurvivesStop, scope: null, CancellationToken.None);
        Clock.Advance(s_second);
        surviving.Read();
        begunLater.Read();

        // Only disposal ends it.
        var last = Service.Delay(s_second, DelayOptions.SurvivesStop, scope: null, CancellationToken.None);
        Service.Dispose();
        Assert.ThrowsAny<OperationCanceledException>(() => last.Read());
    }

    [Fact]
    public async Task Continuation_AwaitedOnAScheduler_RunsThere()
    {
        var schedulers = new ConcurrentExclusiveSchedulerPair();
        var started = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var task = Task.Factory.StartNew(
            async () =>
            {
                var delay = Service.Delay(s_second);
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
        Clock.Advance(s_second);

        Assert.Same(schedulers.ExclusiveScheduler, await Wait.For(task, "the continuation"));
    }

    private static object SourceOf(ValueTask delay) => (IValueTaskSource)Services.Field(delay, "_obj")!;

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
