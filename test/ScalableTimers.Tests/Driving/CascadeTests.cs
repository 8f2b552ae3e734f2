using ScalableTimers.Queues;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Driving;

/// <summary>However many timers a thread has, they hold up no other thread's.</summary>
/// <remarks>
/// The driver reads the clock once a round, and each queue takes one step a round. So the test counts the driver's
/// reads until a thread's timer has been taken out, and measures no real time.
/// </remarks>
public class CascadeTests
{
    private const int Timers = 1_000_000;
    private const int FirstTick = 4_096 + 10;

    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_millisecond = TimeSpan.FromMilliseconds(1);

    private readonly HandClock _clock = new();

    // Seen to fail when RoundDriver.Pass takes all steps of a queue before it looks at the next: the timer was taken
    // out after the last of 8,000 reads.
    [Fact]
    public void Serve_AMillionTimersCascade_AnotherThreadsTimerIsTakenOutInTheFirstRound()
    {
        using var service = Services.OnThePool(_clock, new() { Resolution = s_millisecond });
        TimerQueue? crowded = null;
        TimerQueue? quiet = null;
        Wait.ForThread(() =>
        {
            // All in the slot that begins at tick 4,096, which is drained when the first of them is due.
            service.Schedule(s_ignore, null, FirstTick * s_millisecond);
            for (var i = 1; i < Timers; i++)
            {
                service.Schedule(s_ignore, null, (FirstTick + 1 + (i % 3_000)) * s_millisecond);
            }

            crowded = service.CurrentQueue();
        });
        _clock.Skip((FirstTick - 5) * s_millisecond);
        Wait.ForThread(() =>
        {
            service.Schedule(s_ignore, null, 5 * s_millisecond);
            quiet = service.CurrentQueue();
        });
        Assert.Equal([crowded!, quiet!], Services.Queues(service).All);

        var reads = 0;
        var readsUntilTakenOut = 0;
        var test = Environment.CurrentManagedThreadId;
        _clock.Reading = () =>
        {
            // The workers of the pool read the clock too.
            if (Environment.CurrentManagedThreadId == test)
            {
                reads++;
                readsUntilTakenOut = quiet!.Count().Pending == 0 ? readsUntilTakenOut : reads;
            }
        };
        _clock.SkipAndRing(5 * s_millisecond);
        _clock.Reading = null;

        // The wake-up reads the clock before the first round.
        Assert.Equal(2, readsUntilTakenOut);
        Assert.InRange(reads, Timers / TimerQueue.StepSize, int.MaxValue);
        Assert.Equal(Timers - 1, crowded!.Count().Pending);
    }
}
