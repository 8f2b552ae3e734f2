using System.Runtime.CompilerServices;
using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <summary>
/// The tick by which a collection needs the driver to wake, and how the driver learns of it: invariant I2 of
/// <see cref="TimerCollection"/>.
/// </summary>
internal struct AnnouncedTick()
{
    // Guards
    //   _tick            the collection's lock (to write); the driver reads it without the lock
    //   _announcesNext   the collection's lock
    private long _tick = TimerWheel.Never;
    private bool _announcesNext;

    /// <summary>No later than the deadline of any entry. May be read without the lock.</summary>
    internal readonly long Read() => Volatile.Read(in _tick);

    /// <summary>For asserts under the lock, where a plain read is enough.</summary>
    internal readonly bool IsNoLaterThan(long tick) => _tick <= tick;

    /// <summary>Whether the driver has to be told of a deadline that has just been linked.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly bool NeedsToTell(long deadlineTick) => deadlineTick < _tick || _announcesNext;

    /// <summary>
    /// Makes the collection announce the next timer, whatever its deadline, because the driver may not wake for the
    /// timers announced so far.
    /// </summary>
    internal void TellNextLocked() => _announcesNext = true;

    /// <summary>Lowers the published tick to a deadline. <see cref="Tell"/> must follow, with no lock held.</summary>
    /// <returns>
    /// The tick to pass to <see cref="Tell"/>: the deadline, or an earlier published tick by which the driver might not
    /// wake.
    /// </returns>
    internal long LowerLocked(long deadlineTick)
    {
        deadlineTick = Math.Min(deadlineTick, _tick);
        _announcesNext = false;
        Volatile.Write(ref _tick, deadlineTick);
        return deadlineTick;
    }

    /// <summary>
    /// Publishes the earliest tick. Called when the driver, which is awake, has looked at the collection, and when the
    /// service enters a phase.
    /// </summary>
    internal void PublishLocked(long tick) => Volatile.Write(ref _tick, tick);

    /// <summary>Makes the driver wake by a tick that <see cref="LowerLocked"/> has published.</summary>
    internal static void Tell(ICollectionDriver? driver, long tick)
    {
        // Publish the deadline first, then look at the driver. The driver does the reverse: it announces its next
        // wake-up, then looks at every collection. At least one side sees the other, so no timer waits beside a
        // sleeping driver. The fence must be full: release and acquire alone would let both reads pass both writes.
        Interlocked.MemoryBarrier();
        driver?.WakeNoLaterThan(tick);
    }
}
