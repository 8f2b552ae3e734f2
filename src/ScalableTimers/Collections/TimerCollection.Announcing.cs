using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <content>How the driver learns of deadlines: I2.</content>
internal sealed partial class TimerCollection
{
    /// <summary>Has the next timer announced, whenever it is due, because the driver may not wake for those that have been.</summary>
    internal void AnnounceNext()
    {
        _lock.Enter();
        _announcesNext = true;
        Exit(Environment.CurrentManagedThreadId);
    }

    private void CountAndExit(long deadlineTick, int me)
    {
        AssertHeld();
        var scheduled = ++_scheduled;
        if (deadlineTick < _earliestTick || _announcesNext)
        {
            AnnounceAndExit(deadlineTick, me);
            return;
        }

        Exit(me);
        if (scheduled % TimersPerLook == 0 && !IsShared)
        {
            Service?.Driver.RelieveIfStarved(this, Clock.Now());
        }
    }

    /// <summary>Has the driver wake by a tick that is before all others of the collection, or by the earliest of all when it might not.</summary>
    private void AnnounceAndExit(long deadlineTick, int me)
    {
        deadlineTick = Math.Min(deadlineTick, _earliestTick);
        _announcesNext = false;
        Volatile.Write(ref _earliestTick, deadlineTick);
        Exit(me);

        // Publish the deadline first, then look at the driver. The driver does the reverse: it announces its next wake-up,
        // then looks at every collection. At least one of us sees the other, so no timer waits beside a sleeping driver.
        // The fence must be full: release and acquire alone would let both reads pass both writes.
        Interlocked.MemoryBarrier();
        Service?.Driver.WakeNoLaterThan(deadlineTick);
    }

    private long PublishEarliestLocked()
    {
        AssertHeld();
        var earliest = _phase == ServicePhase.Disposed ? TimerWheel.Never : _wheel.EarliestTick;
        Volatile.Write(ref _earliestTick, earliest);
        return earliest;
    }
}
