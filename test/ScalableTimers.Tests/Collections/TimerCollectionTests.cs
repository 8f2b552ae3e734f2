using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Collections;
using ScalableTimers.Firing;
using ScalableTimers.Testing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Collections;

public class TimerCollectionTests
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void Cancel_FromAnotherThread_UnlinksAtOnce()
    {
        // The owner sleeps, and other threads do all the cancelling. The number of linked entries stays close to the
        // number of pending ones.
        using var service = Services.OnThePool(_clock);
        var collection = service.CurrentCollection();
        for (var round = 0; round < 20; round++)
        {
            var timers = Enumerable.Range(0, 1_000).Select(_ => service.Schedule(s_ignore, null, s_hour)).ToList();
            Wait.ForThread(() => timers.ForEach(static timer => Assert.True(timer.Cancel())));
        }

        Assert.Equal((0L, 20_000L, 20_000L), Counts(collection));
    }

    [Fact]
    public void Schedule_AfterCancel_UsesTheSameEntryAgain()
    {
        using var service = Services.OnThePool(_clock);
        var first = service.Schedule(s_ignore, null, s_hour);
        first.Cancel();

        var second = service.Schedule(s_ignore, null, s_hour);

        Assert.Same(Services.Field(first, "_entry"), Services.Field(second, "_entry"));
        Assert.NotEqual(first, second);
    }

    [Fact]
    public void Cancel_OfAFlood_KeepsABoundedNumberOfFreeEntries()
    {
        using var service = Services.OnThePool(_clock);
        var timers = Enumerable.Range(0, 20_000).Select(_ => service.Schedule(s_ignore, null, s_hour)).ToList();

        timers.ForEach(static timer => timer.Cancel());

        Assert.Equal(4_096, Services.Field(Services.Field(service.CurrentCollection(), "_callbacks")!, "_freeCount"));
    }

    [Fact]
    public void EarliestTick_NearerTimerScheduled_IsLowered()
    {
        using var service = Services.OnThePool(_clock);
        var collection = service.CurrentCollection();
        service.Schedule(s_ignore, null, TimeSpan.FromMilliseconds(500));
        Assert.Equal(50, collection.EarliestTick);

        service.Schedule(s_ignore, null, TimeSpan.FromMilliseconds(91));
        Assert.Equal(10, collection.EarliestTick);

        service.Schedule(s_ignore, null, TimeSpan.FromMilliseconds(200));
        Assert.Equal(10, collection.EarliestTick);
    }

    [Fact]
    public void Expire_MoreThanOneStep_LetsGoOfTheLockBetween()
    {
        using var service = Services.OnThePool(_clock);
        var collection = service.CurrentCollection();
        var dispatcher = new FiringDispatcher(service.Clock, NullLogger.Instance);
        var timers = Enumerable.Range(0, 1_000)
            .Select(_ => service.Schedule(s_ignore, null, TimeSpan.FromMilliseconds(30)))
            .ToList();
        var batch = dispatcher.Rent();
        var oldest = long.MaxValue;

        Assert.True(collection.Expire(nowTick: 3, batch, ref oldest), "One step took out a thousand.");

        // Between two steps another thread can enter the lock, and the timers that are left can still be cancelled.
        Wait.ForThread(() => Assert.True(timers[^1].Cancel()));
        Assert.Equal(3, oldest);
        Assert.InRange(batch.Count, 1, 128);
        Assert.Equal(999 - batch.Count, Counts(collection).Pending);
    }

    [Fact]
    public void Expire_NothingDue_TakesNothingAndSaysSo()
    {
        using var service = Services.OnThePool(_clock);
        var collection = service.CurrentCollection();
        var dispatcher = new FiringDispatcher(service.Clock, NullLogger.Instance);
        service.Schedule(s_ignore, null, TimeSpan.FromMilliseconds(30));
        var batch = dispatcher.Rent();
        var oldest = long.MaxValue;

        Assert.False(collection.Expire(nowTick: 2, batch, ref oldest));

        Assert.Equal((0, long.MaxValue, 3L), (batch.Count, oldest, collection.EarliestTick));
    }

    [Fact]
    public void Snapshot_EveryEndOfATimer_AddsUp()
    {
        using var service = new TimerService(clock: _clock);
        var kept = service.Schedule(s_ignore, null, s_hour);
        service.Schedule(s_ignore, null, TimeSpan.FromMilliseconds(10));
        service.Schedule(s_ignore, null, s_hour).Cancel();
        kept.Reschedule(2 * s_hour);
        using var timer = service.TimeProvider.CreateTimer(s_ignore, null, s_hour, Timeout.InfiniteTimeSpan);
        timer.Change(2 * s_hour, Timeout.InfiniteTimeSpan);
        _ = service.TryDelay(s_hour);
        _clock.Advance(TimeSpan.FromMilliseconds(10));

        // Rescheduled and changed timers count as cancelled and scheduled again.
        var snapshot = service.GetSnapshot();
        Assert.Equal(
            new TimerServiceSnapshot
            {
                Pending = 3,
                Scheduled = 7,
                Fired = 1,
                Cancelled = 3,
                DriverWakeUps = 1,
                Collections = 1,
            },
            snapshot);

        service.Dispose();

        Assert.Equal(snapshot with { Pending = 0, Cancelled = 4, Dropped = 1, HandedOver = 1 }, service.GetSnapshot());
    }

    [Fact]
    public void Snapshot_PeriodsOfAProviderTimer_AreCountedOneByOne()
    {
        using var service = new TimerService(clock: _clock);
        using var timer = service.TimeProvider.CreateTimer(
            s_ignore, null, TimeSpan.FromMilliseconds(100), TimeSpan.FromMilliseconds(100));

        _clock.Advance(TimeSpan.FromSeconds(1));

        var snapshot = service.GetSnapshot();
        Assert.Equal((1L, 11L, 10L, 0L), (snapshot.Pending, snapshot.Scheduled, snapshot.Fired, snapshot.Cancelled));
    }

    private static (long Pending, long Scheduled, long Cancelled) Counts(TimerCollection collection)
    {
        var counts = collection.Count();
        return (counts.Pending, counts.Scheduled, counts.Cancelled);
    }

    [Fact]
    public void Cancel_ByTheOwner_LeavesABoundedNumberLinked()
    {
        using var service = Services.OnThePool(_clock);
        var timers = Enumerable.Range(0, 1_000).Select(_ => service.Schedule(s_ignore, null, s_hour)).ToList();

        timers.ForEach(static timer => Assert.True(timer.Cancel()));

        Assert.InRange(Linked(service.CurrentCollection()), 0, 64);
        Assert.Equal((0, 1_000), (service.GetSnapshot().Pending, service.GetSnapshot().Cancelled));
    }

    // Failed while a cancelled delay stayed linked if resuming its awaiter threw an exception: 1,000 delays were
    // linked.
    [Fact]
    public void Cancel_ResumingTheAwaiterThrows_LeavesABoundedNumberLinked()
    {
        using var service = Services.OnThePool(_clock);
        for (var i = 0; i < 1_000; i++)
        {
            using var source = new CancellationTokenSource();
            service.TryDelay(s_hour, source.Token)
                .GetAwaiter()
                .UnsafeOnCompleted(static () => throw new InvalidOperationException("The context has been closed."));
            Assert.Throws<AggregateException>(source.Cancel);
        }

        Assert.InRange(Linked(service.CurrentCollection()), 0, 64);
        Assert.Equal((0, 1_000), (service.GetSnapshot().Pending, service.GetSnapshot().Cancelled));
    }

    [Fact]
    public void Cancel_ByAnotherThreadWhileTheOwnerSleeps_LeavesABoundedNumberLinked()
    {
        using var service = Services.OnThePool(_clock);
        var collection = service.CurrentCollection();
        var timers = Enumerable.Range(0, 1_000).Select(_ => service.Schedule(s_ignore, null, s_hour)).ToList();

        Wait.ForThread(() => timers.ForEach(static timer => Assert.True(timer.Cancel())));

        Assert.InRange(Linked(collection), 0, RemoteCancelQueue.Capacity);
        Assert.Equal((0, 1_000), (service.GetSnapshot().Pending, service.GetSnapshot().Cancelled));
        Assert.Equal(0, Linked(collection));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Schedule_AfterCancelled_UsesTheirEntriesAgain(bool elsewhere)
    {
        using var service = Services.OnThePool(_clock);
        var cancelled = Enumerable.Range(0, 50).Select(_ => service.Schedule(s_ignore, null, s_hour)).ToList();
        var entries = cancelled.Select(static timer => Services.Field(timer, "_entry")).ToHashSet();
        if (elsewhere)
        {
            Wait.ForThread(() => cancelled.ForEach(static timer => timer.Cancel()));
        }
        else
        {
            cancelled.ForEach(static timer => timer.Cancel());
        }

        var timers = Enumerable.Range(1, 50)
            .Select(second => service.Schedule(s_ignore, null, TimeSpan.FromSeconds(second)))
            .ToList();

        Assert.Equal(entries, timers.Select(static timer => Services.Field(timer, "_entry")).ToHashSet());
        Assert.All(cancelled, static timer => Assert.False(timer.Cancel()));
        Assert.Equal((50, 50), (service.GetSnapshot().Pending, Linked(service.CurrentCollection())));
        Assert.All(timers, static timer => Assert.True(timer.Cancel()));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Expire_OfCancelledThatAreStillLinked_FiresNoneAndLosesNoEntry(bool elsewhere)
    {
        using var service = Services.OnThePool(_clock);
        var collection = service.CurrentCollection();
        var fired = 0;
        var timers = Enumerable.Range(0, 40)
            .Select(_ => service.Schedule(_ => Interlocked.Increment(ref fired), null, TimeSpan.FromSeconds(1)))
            .ToList();
        if (elsewhere)
        {
            Wait.ForThread(() => timers.ForEach(static timer => Assert.True(timer.Cancel())));
        }
        else
        {
            timers.ForEach(static timer => Assert.True(timer.Cancel()));
        }

        Assert.Equal(40, Linked(collection));
        _clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal((0, 0), (Linked(collection), fired));

        var entries = timers.Select(static timer => Services.Field(timer, "_entry")).ToHashSet();
        var again = Enumerable.Range(0, 40).Select(_ => service.Schedule(s_ignore, null, s_hour)).ToList();
        Assert.Equal(entries, again.Select(static timer => Services.Field(timer, "_entry")).ToHashSet());
        Assert.Equal(
            (40, 80, 40, 0),
            (
                service.GetSnapshot().Pending,
                service.GetSnapshot().Scheduled,
                service.GetSnapshot().Cancelled,
                service.GetSnapshot().Fired));
    }

    internal static int Linked(TimerCollection collection) => ((TimerWheel)Services.Field(collection, "_wheel")!).Count;
}
