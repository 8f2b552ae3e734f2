using System.Numerics;

namespace ScalableTimers.Wheel;

/// <summary>Chooses the best tick among several that are acceptable.</summary>
internal static class TickWindow
{
    /// <summary>The tick of a window that is a multiple of the highest power of two.</summary>
    /// <remarks>
    /// A window of n ticks contains a multiple of the largest power of two that is not above n. Timers that choose such
    /// ticks meet there regardless of their deadlines: the wider the windows, the fewer ticks are used. The wheel's
    /// slots also begin at such ticks.
    /// </remarks>
    internal static long MostAligned(long first, long last)
    {
        // The tick before the window and the window's last tick agree in all bits above some bit, in which the former
        // has 0 and the latter has 1. Exactly one tick of the window has that 1 and only zeros below it, and no tick
        // has more trailing zeros. The tick before tick 0 is -1: all its bits are 1, including the sign.
        var bit = BitOperations.Log2((ulong)((first - 1) ^ last));
        return last >> bit << bit;
    }
}
