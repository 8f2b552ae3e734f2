using ScalableTimers.Tests.Clock;
using ScalableTimers.Queues;
using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Queues;

public class TimerQueueTests
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void Cancel_OfAFlood_KeepsABoundedNumberOfFreeEntries()
    {
        using var service = Services.OnThePool(_clock);
        var timers = Enumerable.Range(0, 20_000).Select(_ => service.Schedule(s_ignore, null, s_hour)).ToList();

        timers.ForEach(static timer => timer.Cancel());

        Assert.Equal(4_096, Services.Field(Services.Field(service.CurrentQueue().Callbacks, "_idle")!, "_freeCount"));
    }

    [Fact]
    public void Snapshot_EveryEndOfATimer_AddsUp()
    {
        using var service = new TimerService(new(), clock: _clock);
        var kept = service.Schedule(s_ignore, null, s_hour);
        service.Schedule(s_ignore, null, TimeSpan.FromMilliseconds(10));
        service.Schedule(s_ignore, null, s_hour).Cancel();
        kept.Reschedule(2 * s_hour);
        using var timer = service.TimeProvider.CreateTimer(s_ignore, null, s_hour, Timeout.InfiniteTimeSpan);
        timer.Change(2 * s_hour, Timeout.InfiniteTimeSpan);
        _ = service.TryDelay(s_hour);
        _clock.Advance(TimeSpan.FromMilliseconds(10));

        // Moving a pending timer is not counted.
        var snapshot = service.GetSnapshot();
        Assert.Equal(
            new TimerServiceSnapshot
            {
                Pending = 3,
                Scheduled = 5,
                Fired = 1,
                Cancelled = 1,
                DriverWakeUps = 1,
                Queues = 1,
                IsVirtualTime = true,
            },
            snapshot);

        service.Dispose();

        Assert.Equal(snapshot with { Pending = 1, Cancelled = 2, Dropped = 1 }, service.GetSnapshot());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Cancel_ByTheOwnerOrByAnotherThreadWhileItSleeps_LeavesABoundedNumberLinked(bool elsewhere)
    {
        using var service = Services.OnThePool(_clock);
        var queue = service.CurrentQueue();
        var timers = Enumerable.Range(0, 1_000).Select(_ => service.Schedule(s_ignore, null, s_hour)).ToList();

        Cancel(timers, elsewhere);

        Assert.InRange(Linked(queue), 0, elsewhere ? RemoteCancels.Capacity : EntryStore.OwnCapacity);
        Assert.Equal((0, 1_000), (service.GetSnapshot().Pending, service.GetSnapshot().Cancelled));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Expire_CancelledButStillLinked_FiresNoneAndLosesNoEntry(bool elsewhere)
    {
        using var service = Services.OnThePool(_clock);
        var queue = service.CurrentQueue();
        var fired = 0;
        var timers = Enumerable.Range(0, 40)
            .Select(_ => service.Schedule(_ => Interlocked.Increment(ref fired), null, TimeSpan.FromSeconds(1)))
            .ToList();
        Cancel(timers, elsewhere);

        Assert.Equal(40, Linked(queue));
        _clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal((0, 0), (Linked(queue), fired));

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

    private static void Cancel(List<ScheduledTimer> timers, bool elsewhere)
    {
        void CancelAll() => timers.ForEach(static timer => Assert.True(timer.Cancel()));
        if (elsewhere)
        {
            Wait.ForThread(CancelAll);
        }
        else
        {
            CancelAll();
        }
    }

    internal static int Linked(TimerQueue queue) => ((TimerWheel?)Services.Field(queue, "_wheel"))?.Count ?? 0;
}
