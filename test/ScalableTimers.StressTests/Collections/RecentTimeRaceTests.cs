using ScalableTimers.Collections;
using ScalableTimers.StressTests.Driving;

namespace ScalableTimers.StressTests.Collections;

/// <summary>A thread begins delays without the lock, counted from a recent time, at the moment at which that is found to be over.</summary>
[Trait("Category", "Stress")]
public class RecentTimeRaceTests
{
    private const string Phase = "closing";
    private const int MostSteps = 400;

    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_dueTime = TimerCollection.LongDueTimeTicks * s_tick;

    // Calibrated in Release on 2 cores. Each of these failed in 2 of 2 runs or more, within 30,000 rounds:
    //   no fence in RecentTime.TryNote, or neither fence nor look
    //   reading the word of the life last in TimerCollection.TryBeginLinked
    //   postponing and unlinking in DelayLife.PostponeLocked by two compare-exchanges, one after the other
    [Fact]
    public void TryDelay_WhileTheRecentTimeIsClosed_IsNotEarly()
    {
        var clock = new SetClock();
        var options = new ScalableTimerOptions { FireOnThreadPool = true, Resolution = s_tick };
        using var service = new TimerService(options, clock, null, null, hasRecentTimes: true);
        var lastRoundAt = Stress.LastRoundAt(2, 60);
        var giveUpAt = StressTime.In(Stress.Guard);
        int begun = 0, closed = 0, askedLate = 0;
        StressThreads.Run(Phase, 2, thread =>
        {
            Processors.Pin(thread);
            var random = Stress.NewRandom(thread);
            for (var round = 1; begun >= 0; round++)
            {
                if (thread == 1)
                {
                    Close(service, clock, random, round, ref begun, ref closed);
                }
                else if (StressTime.IsOver(lastRoundAt) && (askedLate > 0 || StressTime.IsOver(giveUpAt)))
                {
                    Volatile.Write(ref begun, -1);
                }
                else
                {
                    askedLate += Begin(service, clock, random, round, ref begun, ref closed) ? 1 : 0;
                }
            }
        });
        Stress.Log($"{Phase}: {closed:N0} rounds, {askedLate:N0} asked when the clock had moved on");
        Assert.NotEqual(0, askedLate);
    }

    private static void Close(TimerService service, SetClock clock, Random random, int round, ref int begun, ref int closed)
    {
        var spinner = default(SpinWait);
        while (Volatile.Read(ref begun) is var seen && seen < round)
        {
            if (seen < 0)
            {
                return;
            }

            spinner.SpinOnce(sleep1Threshold: -1);
        }

        Linger.Steps(random.Next(MostSteps));
        clock.MoveOn(s_tick * 5);
        service.Driver.Serve();
        Volatile.Write(ref closed, round);
    }

    private static bool Begin(TimerService service, SetClock clock, Random random, int round, ref int begun, ref int closed)
    {
        using var source = new CancellationTokenSource();
        LeaveDelayLinked(service);
        OpenRecentTime(service);
        Volatile.Write(ref begun, round);
        Linger.Steps(random.Next(MostSteps));

        Linger.Steps(MostSteps / 2);
        var askedAt = clock.GetTimestamp();
        var delay = service.TryDelay(s_dueTime, source.Token);
        var spinner = default(SpinWait);
        while (Volatile.Read(ref closed) < round)
        {
            spinner.SpinOnce(sleep1Threshold: -1);
        }

        // Those that were asked for after the clock had moved on are what may be early.
        var isAskedLate = askedAt == clock.GetTimestamp();
        clock.MoveOn(TimeSpan.FromTicks(askedAt + s_dueTime.Ticks - 1 - clock.GetTimestamp()));
        var pending = service.GetSnapshot().Pending;
        service.Driver.Serve();
        if (service.GetSnapshot().Pending != pending)
        {
            Stress.Fail(Phase, $"round {round}: a delay was early.");
        }

        source.Cancel();
        _ = delay.GetAwaiter().GetResult();
        return isAskedLate;
    }

    private static void LeaveDelayLinked(TimerService service)
    {
        using var source = new CancellationTokenSource();
        var delay = service.TryDelay(s_dueTime, source.Token);
        source.Cancel();
        _ = delay.GetAwaiter().GetResult();
    }

    private static void OpenRecentTime(TimerService service)
    {
        for (var i = 0; i < 128; i++)
        {
            _ = service.Schedule(static _ => { }, null, s_dueTime).Cancel();
        }
    }

    /// <summary>A clock that stands still unless it is moved on.</summary>
    private sealed class SetClock : TimeProvider
    {
        private long _now;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Volatile.Read(ref _now);

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => new NoTimer();

        internal void MoveOn(TimeSpan duration) => Interlocked.Add(ref _now, duration.Ticks);

        private sealed class NoTimer : ITimer
        {
            public bool Change(TimeSpan dueTime, TimeSpan period) => true;

            public void Dispose()
            {
            }

            public ValueTask DisposeAsync() => default;
        }
    }
}
