using System.Diagnostics;

namespace ScalableTimers.Driving;

/// <summary>The system's coarse tick count, as an upper bound of the precise timestamp.</summary>
/// <remarks>
/// <para>
/// <see cref="Environment.TickCount64"/> costs a fifth of <see cref="Stopwatch.GetTimestamp"/> and is behind it by up to its
/// step (4 to 10 ms on Linux). Read alone it would make timers early. Added to the largest distance between the two
/// it is never behind, and late by at most the step. The distance is measured once, over whole steps, never assumed.
/// </para>
/// <para>
/// It is used where both clocks are readings of one counter (Linux: CLOCK_MONOTONIC and its coarse form), so that they do not drift
/// apart. A kernel that stops stepping the coarse one, as a stalled virtual machine may, breaks the bound: the driver looks
/// at each wake-up and gives the coarse clock up for the rest of the process when it sees that.
/// </para>
/// </remarks>
internal sealed class CoarseClock
{
    // A reading is cut to whole milliseconds, and the measured steps may have missed the widest distance by that much.
    private static readonly long s_unitsPerMillisecond = Stopwatch.Frequency / 1000;
    private static readonly Lazy<CoarseClock?> s_system = new(Measure);

    private readonly long _largestDistance;
    private volatile bool _isTrusted = true;

    private CoarseClock(long largestDistance, TimeSpan step)
    {
        _largestDistance = largestDistance;
        Step = step;
    }

    /// <summary>The coarse clock of this process, or null where there is none that can be bounded. Takes up to 50 ms the first time.</summary>
    internal static CoarseClock? System => s_system.Value;

    /// <summary>How far the coarse clock moves at once, as measured.</summary>
    internal TimeSpan Step { get; }

    internal bool IsTrusted => _isTrusted;

    /// <summary>A timestamp that the precise clock has not passed yet.</summary>
    internal long LatestTimestamp() => (Environment.TickCount64 * s_unitsPerMillisecond) + _largestDistance;

    /// <summary>Gives the clock up if the precise one has passed its bound.</summary>
    /// <returns>False if it was given up just now.</returns>
    internal bool Verify()
    {
        // The precise clock is read first: a pause between the two readings can hide a lie but not invent one.
        var precise = Stopwatch.GetTimestamp();
        if (!_isTrusted || precise <= LatestTimestamp())
        {
            return true;
        }

        _isTrusted = false;
        return false;
    }

    private static CoarseClock? Measure()
    {
        const int Steps = 3;
        if (!OperatingSystem.IsLinux() || !Stopwatch.IsHighResolution || Stopwatch.Frequency % 1000 != 0)
        {
            return null;
        }

        // The distance is largest just before a step and smallest just after it, so it is taken there: what the precise clock
        // shows after the step, from what the coarse one showed before it. A pause between the readings around a step spoils it.
        var giveUpAt = Stopwatch.GetTimestamp() + (Stopwatch.Frequency / 20);
        var longestPause = Stopwatch.Frequency / 10_000;
        long largest = long.MinValue, smallest = long.MaxValue;
        var last = Environment.TickCount64;
        var beforeLast = long.MinValue / 2;
        for (var steps = 0; steps < Steps;)
        {
            var before = Stopwatch.GetTimestamp();
            var coarse = Environment.TickCount64;
            var after = Stopwatch.GetTimestamp();
            if (after > giveUpAt)
            {
                return null;
            }

            if (coarse != last && after - beforeLast < longestPause)
            {
                largest = Math.Max(largest, after - (last * s_unitsPerMillisecond));
                smallest = Math.Min(smallest, after - (coarse * s_unitsPerMillisecond));
                steps++;
            }

            (last, beforeLast) = (coarse, before);
        }

        var step = new TimeSpan((largest - smallest) * TimeSpan.TicksPerSecond / Stopwatch.Frequency);
        return new CoarseClock(largest + s_unitsPerMillisecond, step);
    }
}
