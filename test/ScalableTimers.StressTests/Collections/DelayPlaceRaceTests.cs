using ScalableTimers.Collections;

namespace ScalableTimers.StressTests.Collections;

/// <summary>One thread begins and cancels delays in place while another does what the driver does, as fast as it can.</summary>
[Trait("Category", "Stress")]
public class DelayPlaceRaceTests
{
    private const string Phase = "places";

    // Calibrated by a plain write instead of the compare-exchange in DelayLife.TryBeginLinked: a delay was lost in 2 of 2 runs in Release
    // on 2 cores. Recalibrate when that word changes.
    [Fact]
    public void Begin_WhileThePlaceExpires_IsNeitherLostNorEarly()
    {
        using var service = new TimerService(new ScalableTimerOptions { FireOnThreadPool = true }, new StoppedClock());
        var lastRoundAt = Stress.LastRoundAt(0.7, 30);
        TimerCollection? collection = null;
        var isOver = false;
        var tick = 0L;
        var begun = 0L;
        StressThreads.Run(Phase, 2, thread =>
        {
            if (thread == 0)
            {
                Volatile.Write(ref collection, service.CurrentCollection());
                while (!StressTime.IsOver(lastRoundAt))
                {
                    for (var i = 0; i < 16; i++, begun++)
                    {
                        Use(collection, ref tick, isCancelled: i > 0);
                    }
                }

                Volatile.Write(ref isOver, true);
                return;
            }

            while (!Volatile.Read(ref isOver))
            {
                if (Volatile.Read(ref collection) is { } expiring)
                {
                    var now = tick + 1;
                    Volatile.Write(ref tick, now);
                    while (expiring.TryExpireOne(now, out var item))
                    {
                        item.Fire();
                    }
                }
            }
        });

        Stress.Log($"{Phase}: {begun:N0} delays in {tick:N0} ticks");
        var counted = service.GetSnapshot();
        Assert.Equal((0, begun), (counted.Pending, counted.Scheduled));
    }

    private static void Use(TimerCollection collection, ref long tick, bool isCancelled)
    {
        using var source = new CancellationTokenSource();
        var deadlineTick = Volatile.Read(ref tick) + 2;
        var entry = collection.RentDelay(observer: null);
        entry.Prepare(source.Token, scope: default);
        var dueTime = collection.Clock.ToDuration(collection.Clock.UnitsAt(deadlineTick));
        collection.Start(entry, DelayOptions.ReportCancellation, dueTime, now: 0, source.Token, scope: default);
        var delay = entry.AsValueTaskOfBool();
        if (isCancelled)
        {
            source.Cancel();
        }

        var giveUpAt = StressTime.In(Stress.Guard);
        while (!delay.IsCompleted)
        {
            if (StressTime.IsOver(giveUpAt))
            {
                Stress.Fail(Phase, $"a delay due at {deadlineTick} has not ended at {Volatile.Read(ref tick)}; cancelled: {isCancelled}.");
            }
        }

        var now = Volatile.Read(ref tick);
        if (delay.GetAwaiter().GetResult() && now < deadlineTick)
        {
            Stress.Fail(Phase, $"a delay due at {deadlineTick} ended at {now}.");
        }
    }

    private sealed class StoppedClock : TimeProvider
    {
        public override long GetTimestamp() => 0;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => new NoTimer();

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
