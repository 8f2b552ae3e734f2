using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Wheel;

internal static class WheelExtensions
{
    /// <summary>
    /// More than any test needs, but small enough to find an endless loop in the wheel soon.
    /// </summary>
    internal const int Unlimited = 1_000_000;

    /// <summary>Advances without a limit and returns the expired entries in order of expiry.</summary>
    internal static List<TimerEntry> Advance(this TimerWheel wheel, long toTick)
    {
        var expired = new List<TimerEntry>();
        var budget = Unlimited;
        while (wheel.Advance(toTick, ref budget) is { } entry)
        {
            expired.Add(entry);
        }

        Assert.InRange(budget, 1, Unlimited);
        return expired;
    }

    internal static TimerEntry ScheduleNew(this TimerWheel wheel, long deadlineTick)
    {
        var entry = new TimerEntry();
        wheel.Schedule(entry, deadlineTick);
        return entry;
    }

    /// <summary>All linked entries, and in each slot from the newest to the oldest.</summary>
    internal static List<TimerEntry> Entries(this TimerWheel wheel)
    {
        var entries = new List<TimerEntry>();
        for (var entry = wheel.Next(null); entry is not null; entry = wheel.Next(entry))
        {
            entries.Add(entry);
            Assert.InRange(entries.Count, 1, wheel.Count);
        }

        return entries;
    }

    // Leaving out operations shrinks a case enough. The numbers are not shrunk, because they often matter.
    internal static IEnumerable<T[]> LeaveOut<T>(T[] operations)
    {
        for (var length = operations.Length / 2; length > 0; length /= 2)
        {
            for (var start = 0; start + length <= operations.Length; start += length)
            {
                yield return [.. operations[..start], .. operations[(start + length)..]];
            }
        }
    }
}
