using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using Orleans.Transactions;
using ScalableTimers;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

[Collection(typeof(Alone))]
public sealed class TimedCallTests
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(200);

    // Seen to fail without observing the exception of a late answer.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void LateException_IsDroppedQuietly(bool serviceIsDisposed)
    {
        var overlooked = new List<Exception>();
        var mark = new InvalidTimeZoneException();
        TaskScheduler.UnobservedTaskException += OnOverlooked;
        try
        {
            FailLate(mark, serviceIsDisposed);
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

    // Seen to fail with a read and a plain write in place of the compare-exchange in OnCallEnded: within 100 rounds on
    // two cores.
    [Fact]
    public async Task AnswerAndTimeout_AtTheSameMoment_EndTheCallOnce()
    {
        const int Rounds = 500;
        var (answered, timedOut, headStart) = (0, 0, 200);
        using var timers = new TimerService(new TimerServiceOptions { Resolution = TimeSpan.FromMilliseconds(1) });
        for (var i = 0; i < Rounds; i++)
        {
            var call = new TaskCompletionSource<int>();
            var bounded = new TimedCall<int>(
                timers,
                call.Task,
                s_timeout,
                cancellation: null,
                transaction: null,
                CancellationToken.None);
            bounded.Start();
            var ready = 0;
            var timeout = Task.Run(() =>
            {
                Meet(ref ready);
                Thread.SpinWait(headStart);
                bounded.TimeOut();
            });
            Meet(ref ready);
            Thread.SpinWait(200);
            call.SetResult(i);

            // A second end would throw an exception on one of the two sides.
            await timeout;
            if (await bounded.Task.ContinueWith(static call => call.IsFaulted, TaskScheduler.Default))
            {
                Assert.IsType<TimeoutException>(bounded.Task.Exception!.InnerException);
                timedOut++;

                // The winner is held back longer in the next round, so both win on any machine.
                headStart = Math.Min(1_000_000, headStart + (headStart / 8));
            }
            else
            {
                Assert.Equal(i, await bounded.Task);
                answered++;
                headStart = Math.Max(8, headStart - (headStart / 8));
            }
        }

        Assert.Equal(Rounds, answered + timedOut);
        Assert.Equal((timedOut, 0, timedOut, 0), CallTimers.Of(timers).Statistics.Figures);
        Assert.True(answered > 0 && timedOut > 0, $"{answered} answered, {timedOut} timed out: there was no race.");
    }

    // Failed while the continuation stayed until the call ended: every bound was alive.
    [Fact]
    public void TimeOut_SameCallRepeatedly_ReleasesEarlierBounds()
    {
        const int Rounds = 200;
        var clock = new ManualTimeProvider();
        using var timers = new TimerService(new(), clock: clock);
        var call = new TaskCompletionSource<int>();

        var all = Enumerable.Range(0, Rounds).Select(_ => BoundAndTimeOut(timers, clock, call.Task)).ToList();
        Garbage.CollectUntil(() => all.Count(static bound => bound.IsAlive) <= 10);

        // The first bound learns of the late answer.
        Assert.InRange(all.Count(static bound => bound.IsAlive), 1, 10);
        GC.KeepAlive(call);
    }

    // The call's answer may arrive in time for the transaction, although nobody awaits it.
    [Fact]
    public void Start_ServiceIsDisposed_TheTransactionCannotCommit()
    {
        using var services = new ServiceCollection().AddSerializer().BuildServiceProvider();
        var transaction = new TransactionInfo(Guid.NewGuid(), DateTime.UtcNow, DateTime.UtcNow);
        var timers = new TimerService();
        timers.Dispose();
        var call = new TaskCompletionSource<int>();
        var bounded = new TimedCall<int>(
            timers,
            call.Task,
            s_timeout,
            cancellation: null,
            new CallTransaction(
                transaction,
                services.GetRequiredService<Serializer<OrleansTransactionAbortedException>>()),
            CancellationToken.None);

        Assert.Throws<ObjectDisposedException>(bounded.Start);

        Assert.Equal(1, transaction.PendingCalls);
        Assert.NotNull(transaction.OriginalException);
    }

    // A call's timer used to win over an answer that had arrived while the process stood still.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task TimeOut_RightAfterAStall_AllowsTimeForTheAnswer(bool isAnswered)
    {
        using var timers = new TimerService();
        var call = new TaskCompletionSource<int>();
        var bounded = new TimedCall<int>(
            timers, call.Task, HangGuard.Limit, cancellation: null, null, CancellationToken.None);
        bounded.Start();
        _ = CallTimers.Of(timers).Stalls.GraceLeft(TimeSpan.FromMinutes(1));
        bounded.TimeOut();
        if (isAnswered)
        {
            call.SetResult(1);
            Assert.Equal(1, await bounded.Task);
        }
        else
        {
            await Assert.ThrowsAsync<TimeoutException>(() => bounded.Task.Guarded("the call ends"));
        }

        Assert.Equal(isAnswered ? 0 : 1, CallTimers.Of(timers).Statistics.Figures.TimedOut);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference BoundAndTimeOut(TimerService timers, ManualTimeProvider clock, Task<int> call)
    {
        var bounded = timers.WithTimeout(call, s_timeout);
        clock.Advance(s_timeout);
        Assert.IsType<TimeoutException>(bounded.Exception?.InnerException);
        return new WeakReference(bounded);
    }

    private static void Meet(ref int ready)
    {
        Interlocked.Increment(ref ready);
        SpinWait wait = default;
        while (Volatile.Read(ref ready) < 2)
        {
            wait.SpinOnce(sleep1Threshold: -1);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void FailLate(Exception exception, bool serviceIsDisposed)
    {
        var clock = new ManualTimeProvider();
        using var timers = new TimerService(new(), clock: clock);
        var call = new TaskCompletionSource();
        if (serviceIsDisposed)
        {
            timers.Dispose();
            Assert.Throws<ObjectDisposedException>(() => { _ = timers.WithTimeout(call.Task, s_timeout); });
        }
        else
        {
            var bounded = timers.WithTimeout(call.Task, s_timeout);
            clock.Advance(s_timeout);
            Assert.IsType<TimeoutException>(bounded.Exception?.InnerException);
        }

        call.SetException(exception);
    }
}
