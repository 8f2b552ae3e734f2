using System.Numerics;

namespace ScalableTimers.Wheel;

/// <summary>Which tick of several that would do is best.</summary>
internal static class TickWindow
{
    /// <summary>The tick of a window that is a multiple of the highest power of two.</summary>
    /// <remarks>
    /// A window of n ticks holds a multiple of the largest power of two that is not above n. Whoever may choose such a
    /// tick meets others there, whatever their deadlines: the wider the windows, the fewer ticks are used. It is also
    /// where the wheel's slots begin.
    /// </remarks>
    /// <param name="first">The first tick of the window, not negative.</param>
    /// <param name="last">The last tick of the window, not before the first.</param>
    internal static long MostAligned(long first, long last)
    {
        // The tick before the window and its last one agree down to some bit, where the former has 0 and the latter 1.
        // Of the ticks in between, one alone has that 1 and nothing below it, and none has fewer bits. Before tick 0
        // all bits are 1, down to the sign.
        var bit = BitOperations.Log2((ulong)((first - 1) ^ last));
        return last >> bit << bit;
    }
}
