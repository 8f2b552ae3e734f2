using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Timeouts;

/// <summary>Leases that are returned while their service is being disposed.</summary>
public class ReturnedWhileDisposedTests
{
    private const int Leases = 100;

    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly HandClock _clock = new();

    // Their timers of the clock stayed, and kept an entry each, until the timeouts had passed. Calibrated by not
    // looking at the entry's slot in TimerQueue.KeepCancelled.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Dispose_LeasesAreReturnedWhenTheClockHasBeenSet_LeavesNoTimerOfTheClock(bool byAnotherThread)
    {
        var service = Services.OnThePool(_clock);
        var leases = Enumerable.Range(0, Leases).Select(_ => service.RentTimeout(s_hour)).ToList();
        void ReturnAllButTheFirst() => leases.Skip(1).ToList().ForEach(static lease => lease.Dispose());

        // The clock makes a timer for each lease and sets it, the first lease's last of all. Another thread that
        // returned the first lease now would wait for that.
        var changes = 0;
        _clock.Changed = () =>
        {
            if (++changes == 2 * Leases)
            {
                if (byAnotherThread)
                {
                    Wait.ForThread(ReturnAllButTheFirst);
                }
                else
                {
                    ReturnAllButTheFirst();
                }
            }
        };
        service.Dispose();
        _clock.Changed = null;

        Assert.InRange(changes, 2 * Leases, int.MaxValue);
        Assert.Equal((1L, Leases - 1L), (service.GetSnapshot().Pending, service.GetSnapshot().Cancelled));
        Assert.Equal(s_hour, _clock.NextWait);
        leases[0].Dispose();
        Assert.Null(_clock.NextWait);
        Assert.Equal((0L, (long)Leases), (service.GetSnapshot().Pending, service.GetSnapshot().Cancelled));
    }
}
