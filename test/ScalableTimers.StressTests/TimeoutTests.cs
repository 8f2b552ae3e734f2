using System.Diagnostics;
using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests;

/// <summary>
/// Shared timeout tokens that many threads request while their buckets end, and rented ones that are returned at the
/// moment at which they are cancelled.
/// </summary>
[Trait("Category", "Stress")]
public class TimeoutTests
{
    private const string Phase = "timeout tokens";

    // Calibrated by rounding down to a bucket in TimeoutTokens.Get: 1,100 to 2,100 of 50,000 early in 3 of 3 runs in
    // Release on 2 cores.
    [Fact]
    public async Task GetTimeoutToken_FromManyThreads_IsCancelledOnceAndNotEarly()
    {
        for (var round = 0; round < Stress.Choose(1, 20); round++)
        {
            var ledger = new Ledger(Phase);
            var options = new ScalableTimerOptions
            {
                Driver = round % 2 == 0 ? TimerDriverKind.Thread : TimerDriverKind.Timer,
                Resolution = StressTime.Milliseconds(1),
                TimeoutTokenBucket = StressTime.Milliseconds(5),
            };
            await using var service = new TimerService(options);
            var lastRoundAt = StressTime.In(TimeSpan.FromSeconds(0.5));
            var tokens = new HashSet<CancellationToken>[3];
            StressThreads.Run(
                Phase, tokens.Length, thread =>
                    tokens[thread] = Ask(service, ledger, lastRoundAt, Stress.NewRandom(thread)));
            ledger.WaitForAll();
            await service.DisposeAsync();
            var summary = ledger.Verify().Log();
            var distinct = tokens.SelectMany(static mine => mine).Distinct().Count();
            Stress.Log($"{Phase}: {distinct} tokens for {summary.Total:N0} timeouts, one bucket is 5 ms");
        }
    }

    [Fact]
    public void GetTimeoutToken_WhileTheServiceIsDisposed_IsCancelledOnceAndNotEarly()
    {
        const string Disposal = "timeout tokens and disposal";
        var ledger = new Ledger(Disposal);
        for (var round = 0; round < Stress.Choose(150, 1_500); round++)
        {
            var service = new TimerService(
                new ScalableTimerOptions
                {
                    Resolution = StressTime.Milliseconds(1),
                    TimeoutTokenBucket = StressTime.Milliseconds(1),
                });
            var timeout = StressTime.Milliseconds(20 + (round % 7));
            StressThreads.Run(Disposal, 3, thread =>
            {
                var random = Stress.NewRandom((round * 3) + thread);
                var part = ledger.NewPart();
                var end = StressTime.In(StressTime.Milliseconds(6 + random.Next(8)));
                while (!StressTime.IsOver(end))
                {
                    for (var i = 0; i < 3; i++)
                    {
                        var registration = new TrackedToken(ledger);
                        registration.Share(service, timeout);
                        part.Add(registration);
                    }

                    Thread.SpinWait(random.Next(20_000));
                }

                if (thread == 0)
                {
                    service.Dispose();
                }
            });
        }

        ledger.WaitForAll();
        _ = ledger.Verify().Log();
    }

    // Calibrated by returning sources to the pool in any state: "cancelled early" at once. Also calibrated by a Wake
    // that does not look again after it has armed the timer, with a Thread.Sleep(1) before that: "not cancelled".
    [Fact]
    public void RentTimeout_ReturnedWhileCancelled_ReachesNoOtherTenant()
    {
        using var service = new TimerService(new ScalableTimerOptions { Resolution = StressTime.Milliseconds(1) });
        var lastRoundAt = StressTime.In(TimeSpan.FromSeconds(Stress.Choose(2, 60)));
        var timedOut = 0L;
        var inTime = 0L;
        StressThreads.Run("timeout leases", 4, thread =>
        {
            var random = Stress.NewRandom(thread);
            while (!StressTime.IsOver(lastRoundAt))
            {
                var hasTimedOut = RentOnce(service, random);
                Interlocked.Increment(ref hasTimedOut ? ref timedOut : ref inTime);
            }
        });

        Stress.Log($"timeout leases: {timedOut:N0} timed out, {inTime:N0} were returned in time");
        Assert.True(timedOut > 0 && inTime > 0);
    }

    private static HashSet<CancellationToken> Ask(TimerService service, Ledger ledger, long lastRoundAt, Random random)
    {
        var part = ledger.NewPart();
        var tokens = new HashSet<CancellationToken>();
        while (!StressTime.IsOver(lastRoundAt))
        {
            for (var i = 0; i < 20; i++)
            {
                // Some timeouts are short and race with the end of their bucket. Others are longer.
                var registration = new TrackedToken(ledger);
                var timeout = StressTime.UpTo(random.Next(2) == 0 ? 2 : 100, random) + TimeSpan.FromTicks(1);
                _ = tokens.Add(registration.Share(service, timeout));
                part.Add(registration);
                if (random.Next(3) == 0)
                {
                    ((TrackedToken)part[random.Next(part.Count)]).End();
                }
            }

            Thread.Sleep(random.Next(2));
        }

        return tokens;
    }

    private static bool RentOnce(TimerService service, Random random)
    {
        var timeout = random.Next(4) == 0
            ? TimeSpan.FromSeconds(30)
            : TimeSpan.FromTicks(random.Next(1, 4 * (int)TimeSpan.TicksPerMillisecond));
        // not disposed: cancelled late, on purpose
        var caller = random.Next(3) == 0 ? new CancellationTokenSource() : null;
        var start = Stopwatch.GetTimestamp();
        using var lease = service.RentTimeout(timeout, caller?.Token ?? default);
        if (caller is not null && random.Next(2) == 0)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static caller => caller.Cancel(), caller, preferLocal: false);
        }

        // This is about the moment of the timeout, sometimes a little before and sometimes after it.
        var until = timeout < TimeSpan.FromSeconds(1)
            ? timeout + TimeSpan.FromTicks(random.Next(-5_000, 15_000))
            : TimeSpan.FromTicks(random.Next(5_000));
        if (timeout < TimeSpan.FromSeconds(1) && random.Next(8) == 0)
        {
            Assert.True(lease.Token.WaitHandle.WaitOne(Stress.Guard), $"A timeout of {timeout} was not cancelled.");
        }

        while (Stopwatch.GetElapsedTime(start) < until && !lease.Token.IsCancellationRequested)
        {
            Thread.SpinWait(20);
        }

        var isCancelled = lease.Token.IsCancellationRequested;
        var hasTimedOut = lease.HasTimedOut;
        var elapsed = Stopwatch.GetElapsedTime(start);
        Assert.True(!hasTimedOut || elapsed >= timeout, $"A timeout of {timeout} came after {elapsed}.");
        Assert.True(
            !isCancelled || hasTimedOut || caller is { IsCancellationRequested: true },
            $"A timeout of {timeout} was cancelled early, after {elapsed}.");
        return hasTimedOut;
    }
}
