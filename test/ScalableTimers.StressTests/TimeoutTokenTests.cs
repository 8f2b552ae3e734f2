using System.Diagnostics;
using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests;

/// <summary>Shared timeout tokens that many threads request while their buckets end.</summary>
[Trait("Category", "Stress")]
public class TimeoutTokenTests
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

    // A thread seldom finds a token here while the token is dropped. TokensAheadTests creates that moment on purpose.
    [Fact]
    public void GetTimeoutToken_WhileTheServiceIsDisposed_IsCancelledOnceAndNotEarly()
    {
        const string Disposal = "timeout tokens and disposal";
        var ledger = new Ledger(Disposal);
        for (var round = 0; round < Stress.Choose(150, 1_500); round++)
        {
            // Tokens are created in advance all the time. When the service ends, most of them have not been requested
            // yet.
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
                        var registration = new TokenRegistration(ledger);
                        registration.Register(service, timeout);
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

    private static HashSet<CancellationToken> Ask(TimerService service, Ledger ledger, long lastRoundAt, Random random)
    {
        var part = ledger.NewPart();
        var tokens = new HashSet<CancellationToken>();
        while (!StressTime.IsOver(lastRoundAt))
        {
            for (var i = 0; i < 20; i++)
            {
                // Some timeouts are short and race with the end of their bucket. Others are longer.
                var registration = new TokenRegistration(ledger);
                var timeout = StressTime.UpTo(random.Next(2) == 0 ? 2 : 100, random) + TimeSpan.FromTicks(1);
                _ = tokens.Add(registration.Register(service, timeout));
                part.Add(registration);
                if (random.Next(3) == 0)
                {
                    ((TokenRegistration)part[random.Next(part.Count)]).Unregister();
                }
            }

            Thread.Sleep(random.Next(2));
        }

        return tokens;
    }

    /// <summary>One sharer of a token.</summary>
    private sealed class TokenRegistration(Ledger ledger) : Tracked
    {
        private CancellationTokenRegistration _registration;

        internal CancellationToken Register(TimerService service, TimeSpan timeout)
        {
            AskFor(StressTime.In(timeout));
            var token = service.GetTimeoutToken(timeout);
            _registration = token.UnsafeRegister(
                static registration => ((TokenRegistration)registration!).Fire(), this);
            return token;
        }

        internal void Unregister()
        {
            if (_registration.Unregister())
            {
                _ = RecordCancelled();
                ledger.CountEnd();
            }
        }

        private void Fire()
        {
            _ = RecordFired(Stopwatch.GetTimestamp());
            ledger.CountEnd();
        }
    }
}
