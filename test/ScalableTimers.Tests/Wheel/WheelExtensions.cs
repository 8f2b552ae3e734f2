using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Wheel;

internal static class WheelExtensions
{
    /// <summary>Advances without a limit and returns what has expired, in the order in which it came.</summary>
    internal static List<TimerEntry> Advance(this TimerWheel wheel, long toTick)
    {
        var expired = new List<TimerEntry>();
        var budget = int.MaxValue;
        while (wheel.Advance(toTick, ref budget) is { } entry)
        {
            expired.Add(entry);
        }

        return expired;
    }

    internal static TimerEntry ScheduleNew(this TimerWheel wheel, long deadlineTick)
    {
        var entry = new TimerEntry();
        wheel.Schedule(entry, deadlineTick);
        return entry;
    }
}
