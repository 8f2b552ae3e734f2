using ScalableTimers.Queues;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P7: no lock is held while user code runs. A blocked callback delays no other. No context that a callback sets
/// reaches the next one.
/// </summary>
public class P7_NoLockWhileUserCodeRunsTests
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    [Fact]
    public void Callback_OfEveryKind_AnotherThreadCanUseTheWholeServiceMeanwhile()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(new(), clock: clock);
        var peers = Enumerable.Range(0, 10).Select(_ => service.Schedule(s_ignore, null, s_second)).ToList();
        var used = new List<string>();
        void Use(string by, List<ScheduledTimer>? others = null)
        {
            Wait.ForThread(() => UseEverything(service, others ?? []));
            used.Add(by);
        }

        service.Schedule(_ => Use("callback", peers), null, s_second - s_tick);
        using var timer = service.TimeProvider.CreateTimer(
            _ => Use("provider timer"), null, s_second, Timeout.InfiniteTimeSpan);
        var elapsed = service.TryDelay(s_second);
        elapsed.GetAwaiter().OnCompleted(() => Use("delay"));
        using var source = new CancellationTokenSource();
        var cancelled = service.TryDelay(s_second, source.Token);
        cancelled.GetAwaiter().OnCompleted(() => Use("cancelled delay"));
        using var registration = service.GetTimeoutToken(s_second).Register(() => Use("token"));
        var stopped = service.TryDelay(2 * s_second);
        stopped.GetAwaiter().OnCompleted(() => Use("stopped delay"));

        source.Cancel();
        Wait.Until(() => used.Count == 1, "the cancelled delay");
        clock.Advance(s_second);
        _ = service.StopAsync();

        Assert.Equal(["cancelled delay", "callback", "provider timer", "delay", "token", "stopped delay"], used);
        Assert.Equal(0, service.GetSnapshot().Failed);
    }

    [Fact]
    public void Callback_OfAClockThatRingsInChange_AnotherThreadCanScheduleMeanwhile()
    {
        // Such a clock runs the timer's callback inside Schedule, when the driver sets its alarm.
        var clock = new HandClock { RingsInChange = true };
        using var service = new TimerService(new(), clock: clock);
        service.Schedule(s_ignore, null, s_second);
        var fired = false;
        service.Schedule(
            _ =>
            {
                Wait.ForThread(() => service.Schedule(s_ignore, null, s_tick));
                fired = true;
            },
            null,
            TimeSpan.Zero);

        Assert.True(fired);
        Assert.Equal(0, service.GetSnapshot().Failed);
    }

    // Seen to hang when the wait ended under the queue's lock.
    [Fact]
    public void DisposeAsync_AwaitedUnderAContext_PostsWithNoLockHeld()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(new(), clock: clock);
        var posts = 0;
        var context = new PostedContext(() =>
        {
            Wait.ForThread(() => UseEverything(service, []));
            posts++;
        });
        ITimer? timer = null;
        timer = service.TimeProvider.CreateTimer(
            _ => Wait.ForThread(() =>
            {
                SynchronizationContext.SetSynchronizationContext(context);
                _ = End(timer!);
            }),
            null,
            s_second,
            Timeout.InfiniteTimeSpan);

        clock.Advance(s_second);

        Assert.Equal(1, posts);

        static async Task End(ITimer timer) => await timer.DisposeAsync();
    }

    [Fact]
    public void Callback_SetsAsyncLocalAndContext_NeitherReachesTheNextNorTheCaller()
    {
        var clock = new ManualTimeProvider();
        using var service = new TimerService(new(), clock: clock);
        var local = new AsyncLocal<string?>();
        var seen = new List<string>();
        var before = SynchronizationContext.Current;
        for (var i = 0; i < 3; i++)
        {
            service.Schedule(
                _ =>
                {
                    seen.Add(
                        $"{local.Value ?? "nothing"}, "
                        + $"{(ReferenceEquals(SynchronizationContext.Current, before) ? "no context" : "a context")}");
                    local.Value = "leaked";
                    SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
                },
                null,
                s_second);
        }

        clock.Advance(s_second);

        Assert.Equal(Enumerable.Repeat("nothing, no context", 3), seen);
        Assert.Null(local.Value);
        Assert.Same(before, SynchronizationContext.Current);
    }

    // Without restoring the contexts, the second continuation saw the first one's values. If the caller had suppressed
    // the flow of its context, it saw them even with restoring, because there was no context to restore.
    [Theory]
    [InlineData(true, false)]
    [InlineData(false, false)]
    [InlineData(true, true)]
    [InlineData(false, true)]
    public void Continuation_AtStopOrDisposalSetsAsyncLocalAndContext_NeitherReachesTheNextNorTheCaller(
        bool byStopping, bool isFlowSuppressed)
    {
        var service = new TimerService(new(), clock: new ManualTimeProvider());
        var local = new AsyncLocal<string?>();
        var seen = new List<string>();
        var before = SynchronizationContext.Current;
        for (var i = 0; i < 3; i++)
        {
            var delay = service.TryDelay(s_second, TestContext.Current.CancellationToken).GetAwaiter();
            delay.UnsafeOnCompleted(() =>
            {
                Assert.False(delay.GetResult());
                seen.Add(
                    $"{local.Value ?? "nothing"}, "
                    + $"{(ReferenceEquals(SynchronizationContext.Current, before) ? "no context" : "a context")}");
                local.Value = "leaked";
                SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
            });
        }

        using (isFlowSuppressed ? ExecutionContext.SuppressFlow() : default)
        {
            if (byStopping)
            {
                Assert.True(service.StopAsync().IsCompletedSuccessfully);
            }

            service.Dispose();
            Assert.Equal(isFlowSuppressed, ExecutionContext.IsFlowSuppressed());
        }

        Assert.Equal(Enumerable.Repeat("nothing, no context", 3), seen);
        Assert.Null(local.Value);
        Assert.Same(before, SynchronizationContext.Current);
    }

    // Failed while periodic timers read the clock under their queue's lock (when they expire, when a postponed firing
    // runs, and after the service has ended), and while a joining thread read it under the registry's lock.
    [Fact]
    public async Task Clock_OfTheUsersOwn_IsReadWithNoLockHeld()
    {
        var clock = new HandClock { RingsInChange = true };
        await using var service = Services.OnThePool(clock);
        var queue = service.CurrentQueue();
        var gate = (Lock)Services.Field(Services.Queues(service), "_gate")!;
        var readings = 0;
        var underLock = 0;
        clock.Reading = () =>
        {
            var spinLock = (ReentrantInterlockedLock)Services.Field(queue, "_lock")!;
            Interlocked.Increment(ref readings);
            Interlocked.Add(ref underLock, spinLock.IsHeldByCurrentThread || gate.IsHeldByCurrentThread ? 1 : 0);
        };
        Wait.ForThread(() => service.Schedule(s_ignore, null, s_second)); // Another thread joins.
        using var changed = new ManualResetEventSlim();
        using var fired = new CountdownEvent(3);
        ITimer? owed = null;
        owed = service.CreatePeriodicTimer(
            _ =>
            {
                if (fired.Signal())
                {
                    return;
                }

                // The timer is due again while its callback runs. That firing is postponed until the callback returns.
                owed!.Change(s_tick, Timeout.InfiniteTimeSpan);
                clock.SkipAndRing(s_second);
            },
            null,
            s_tick,
            Timeout.InfiniteTimeSpan);
        using var periodic = service.CreatePeriodicTimer(s_ignore, null, s_tick, s_tick);
        using var provided = service.TimeProvider.CreateTimer(_ => changed.Set(), null, s_second, s_second);
        UseEverything(service, []);

        clock.SkipAndRing(s_second);
        Wait.For(fired, "the owed firings");
        Wait.For(changed, "the provider's timer");
        service.Dispose();
        changed.Reset();
        clock.SkipAndRing(s_second);
        Wait.For(changed, "the provider's timer, by the clock");

        Assert.True(Volatile.Read(ref readings) > 10, "The clock was hardly read.");
        Assert.Equal(0, Volatile.Read(ref underLock));
    }

    private static void UseEverything(TimerService service, List<ScheduledTimer> others)
    {
        others.ForEach(static timer => Assert.True(timer.Cancel()));
        var mine = service.Schedule(s_ignore, null, s_tick);
        mine.Reschedule(s_second);
        mine.Cancel();
        using var source = new CancellationTokenSource();
        var delay = service.TryDelay(s_second, source.Token);
        source.Cancel();
        _ = delay.AsTask();
        var timer = service.TimeProvider.CreateTimer(s_ignore, null, s_tick, s_tick);
        timer.Change(s_second, s_second);
        timer.Dispose();
        _ = service.GetTimeoutToken(s_second);
        _ = service.GetSnapshot();
    }

    /// <summary>Calls something for each post, and posts nothing.</summary>
    private sealed class PostedContext(Action posted) : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => posted();
    }
}
