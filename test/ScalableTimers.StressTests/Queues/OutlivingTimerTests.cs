using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Queues;

/// <summary>
/// Several threads begin and end tokens and provider timers while their service is disposed. These outlive it: each
/// ends once, on time or when it is told to.
/// </summary>
public class OutlivingTimerTests
{
    private const int Threads = 3;

    [Fact]
    public async Task OutlivingTimers_BegunAndEndedAroundDisposal_EndOnceAndLeaveNothing()
    {
        const string Phase = "outliving";
        var (ledger, rounds) = (new Ledger(Phase), 0);
        for (var lastRoundAt = Stress.LastRoundAt(3, 60); !StressTime.IsOver(lastRoundAt); rounds++)
        {
            await RunRound(Phase, ledger, rounds);
        }

        _ = ledger.Verify();
    }

    private static async Task RunRound(string phase, Ledger all, int round)
    {
        var ledger = new Ledger($"{phase}, round {round}");
        var service = Stress.NewService((TimerServiceDriver)(round % 2), tokenBucketMilliseconds: 1);
        var timers = new List<TrackedITimer>();
        var ends = new Shelf<Action>(32);
        StressThreads.Run(phase, Threads, thread =>
        {
            var random = Stress.NewRandom((round * Threads) + thread);
            var end = StressTime.In(StressTime.Milliseconds(4 + random.Next(8)));
            for (var i = 0; !StressTime.IsOver(end); i++)
            {
                if (thread == 0 && i % 4 == 0)
                {
                    timers.Add(new TrackedITimer(service.TimeProvider, StressTime.UpTo(30, random)));
                }

                ends.Exchange(Begin(service, ledger, random))?.Invoke();
                Thread.SpinWait(random.Next(10_000));
            }

            if (thread == 0)
            {
                service.Dispose();
            }

            for (var i = 0; i < 50; i++)
            {
                ends.Exchange(Begin(service, ledger, random))?.Invoke();
            }
        });
        ends.TakeAll(static end => end());
        ledger.WaitForAll();
        TrackedITimer.WaitForLast(phase, timers);
        timers.ForEach(timer => timer.Change(StressTime.Milliseconds(2)));
        TrackedITimer.WaitForLast(phase, timers);
        await Stress.WaitFor(phase, service.DisposeAsync().AsTask(), "DisposeAsync.");

        // A shared token outlives its registrations.
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
    /// Begins something that ends within 30 ms, or lasts for an hour unless it is ended. The thread that finds it on
    /// the shelf ends it.
    /// </summary>
    private static Action Begin(TimerService service, Ledger ledger, Random random)
    {
        var dueTime = StressTime.UpTo(30, random) + TimeSpan.FromTicks(1);
        var token = ledger.Add(new TrackedToken(ledger));
        token.Register(service, dueTime);
        return token.End;
    }
}
