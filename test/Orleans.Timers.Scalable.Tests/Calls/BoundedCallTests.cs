using System.Runtime.CompilerServices;
using Orleans.Timers.Scalable.Calls;
using ScalableTimers;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

[Collection(typeof(Alone))]
public sealed class BoundedCallTests
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(200);

    // Seen to fail without observing the exception of a late answer.
    [Fact]
    public void LateException_IsDroppedQuietly()
    {
        var overlooked = new List<Exception>();
        var mark = new InvalidTimeZoneException();
        TaskScheduler.UnobservedTaskException += OnOverlooked;
        try
        {
            FailLate(mark);
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        finally
        {
            TaskScheduler.UnobservedTaskException -= OnOverlooked;
        }

        Assert.DoesNotContain(mark, overlooked);

        void OnOverlooked(object? sender, UnobservedTaskExceptionEventArgs args) =>
            overlooked.AddRange(args.Exception.InnerExceptions);
    }

    [Fact]
    public void TimeOut_SameCallRepeatedly_ReleasesEarlierBounds()
    {
        const int Rounds = 200;
        var clock = new ManualTimeProvider();
        using var timers = new TimerService(new(), clock: clock);
        var call = new TaskCompletionSource<int>();

        var all = Enumerable.Range(0, Rounds).Select(_ => BoundAndTimeOut(timers, clock, call.Task)).ToList();
        Garbage.CollectUntil(() => all.Count(static bound => bound.IsAlive) <= 10);

        Assert.InRange(all.Count(static bound => bound.IsAlive), 0, 10);
        GC.KeepAlive(call);
    }

    // A call's timer used to win over an answer that had arrived while the process stood still. Seen to fail without
    // the second wait.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task TimeOut_RightAfterAStall_AllowsTimeForTheAnswer(bool isAnswered)
    {
        using var timers = new TimerService();
        var call = new TaskCompletionSource<int>();
        _ = CallTimers.Of(timers).Stalls.GraceLeft(TimeSpan.FromMinutes(1));
        var bounded = timers.WithTimeout(call.Task, TimeSpan.FromMilliseconds(1));
        await Task.Delay(s_timeout, TestContext.Current.CancellationToken);
        if (isAnswered)
        {
            call.SetResult(1);
            Assert.Equal(1, await bounded);
        }
        else
        {
            await Assert.ThrowsAsync<TimeoutException>(() => bounded.Guarded("the call ends"));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference BoundAndTimeOut(TimerService timers, ManualTimeProvider clock, Task<int> call)
    {
        var bounded = timers.WithTimeout(call, s_timeout);
        clock.Advance(s_timeout);
        Assert.IsType<TimeoutException>(bounded.Exception?.InnerException);
        return new WeakReference(bounded);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void FailLate(Exception exception)
    {
        var clock = new ManualTimeProvider();
        using var timers = new TimerService(new(), clock: clock);
        var call = new TaskCompletionSource();
        var bounded = timers.WithTimeout(call.Task, s_timeout);
        clock.Advance(s_timeout);
        Assert.IsType<TimeoutException>(bounded.Exception?.InnerException);
        call.SetException(exception);
    }
}
