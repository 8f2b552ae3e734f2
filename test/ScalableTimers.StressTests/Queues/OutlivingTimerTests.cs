using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Queues;

/// <summary>
/// Tokens, leases, detached delays and timers of the provider, begun and ended by several threads while their service is
/// disposed. They outlive it: each ends on time or when it is told to, and once.
/// </summary>
[Trait("Category", "Stress")]
public class OutlivingTimerTests
{
    private const int Threads = 3;

    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    // CALIBRATE
    [Fact]
    public async Task WhatOutlivesItsService_BegunAndEndedAroundDisposal_EndsOnceAndLeavesNothing()
    {
        const string Phase = "outliving";
        var clockTimers = Timer.ActiveCount;
        var (ledger, rounds) = (new Ledger(Phase), 0);
        for (var lastRoundAt = Stress.LastRoundAt(3, 60); !StressTime.IsOver(lastRoundAt); rounds++)
        {
            await RunRound(Phase, ledger, rounds);
        }

        _ = ledger.Verify().Log();
        Stress.Log($"{Phase}: {rounds} services, {Timer.ActiveCount - clockTimers} timers of the clock are left");

        // A few may be left: of an entry that was ended just when its timer was about to be armed, and of other tests.
        Assert.InRange(Timer.ActiveCount, 0, clockTimers + rounds + 10);
    }

    private static async Task RunRound(string phase, Ledger all, int round)
    {
        var ledger = new Ledger($"{phase}, round {round}");
        var service = Stress.NewService((DriverChoice)(round % 3), tokenBucketMilliseconds: 1);
        var timers = new List<TrackedITimer>();
        var held = new Shelf<Held>(32);
        StressThreads.Run(phase, Threads, thread =>
        {
            var random = Stress.NewRandom((round * Threads) + thread);
            var end = StressTime.In(StressTime.Milliseconds(4 + random.Next(8)));
            for (var i = 0; !StressTime.IsOver(end); i++)
            {
                if (thread == 0 && i % 4 == 0)
                {
                    lock (timers)
                    {
                        timers.Add(new TrackedITimer(service.TimeProvider, StressTime.UpTo(30, random)));
                    }
                }

                held.Exchange(Begin(service, ledger, random))?.End();
                Thread.SpinWait(random.Next(10_000));
            }

            if (thread == 0)
            {
                service.Dispose();
            }

            for (var i = 0; i < 50; i++)
            {
                held.Exchange(Begin(service, ledger, random))?.End();
            }
        });
        held.TakeAll(static one => one.End());
        ledger.WaitForAll();
        TrackedITimer.WaitForLast(phase, timers);
        timers.ForEach(timer => timer.Change(StressTime.Milliseconds(2)));
        TrackedITimer.WaitForLast(phase, timers);
        await Stress.WaitFor(phase, service.DisposeAsync().AsTask(), "DisposeAsync.");

        // A shared token goes on when its registrations have gone.
        Stress.WaitUntil(phase, () => service.GetSnapshot().TimeoutTokens == 0, () => $"{service.GetSnapshot()}");
        var faults = Offenders.Describe(timers.Select(static timer => timer.Fault()));
        var counted = service.GetSnapshot();
        if (faults.Length > 0
            || counted.Pending + counted.InFlight + counted.Dropped != 0
            || counted.Scheduled != counted.Fired + counted.Cancelled)
        {
            Stress.Fail(phase, $"round {round}: {faults} {counted}");
        }

        ledger.All.ToList().ForEach(one => all.Add(one));
    }

    /// <summary>
    /// Begins something that ends itself within 30 ms, or lasts for an hour and must be ended. Whoever finds it on the
    /// shelf does that.
    /// </summary>
    private static Held Begin(TimerService service, Ledger ledger, Random random)
    {
        var dueTime = StressTime.UpTo(30, random) + TimeSpan.FromTicks(1);
        var source = random.Next(2) == 0 ? new CancelSource() : null;
        switch (random.Next(4))
        {
            case 0:
                var shared = ledger.Add(new TrackedToken(ledger));
                _ = shared.Share(service, dueTime);
                return new Held(shared.End, source: null);
            case 1:
                var delay = ledger.Add(source is null ? new TrackedDelay(ledger) : new TrackedDelay(ledger, source));
                delay.StartDetached(service, source is null ? dueTime : s_hour, source?.Token ?? default);
                return new Held(end: null, source);
            default:
                var rented = ledger.Add(new TrackedToken(ledger, source));
                rented.Rent(service, random.Next(2) == 0 ? dueTime : s_hour);
                return new Held(rented.End, source);
        }
    }

    /// <summary>How to end something: one thread returns it, after it may have cancelled the caller's token.</summary>
    private sealed class Held(Action? end, CancelSource? source)
    {
        internal void End()
        {
            source?.Cancel();
            end?.Invoke();
        }
    }
}
