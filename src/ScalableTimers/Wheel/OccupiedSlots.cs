using System.Numerics;
using System.Runtime.CompilerServices;

namespace ScalableTimers.Wheel;

/// <summary>
/// The slots of a <see cref="TimerWheel"/> that hold entries ahead of the current tick: a bit for each slot, a word for
/// each row.
/// </summary>
internal struct OccupiedSlots
{
    private Rows _rows;
    private int _occupiedRows;

    /// <summary>The lowest level with a slot that holds entries, of which there is one at least.</summary>
    internal readonly int LowestLevel => LevelOf(BitOperations.TrailingZeroCount(_occupiedRows));

    internal void Add(int slot)
    {
        var row = slot >> TimerWheel.DigitBits;
        _rows[row] |= 1UL << slot;
        _occupiedRows |= 1 << row;
    }

    internal void Remove(int slot)
    {
        var row = slot >> TimerWheel.DigitBits;
        if ((_rows[row] &= ~(1UL << slot)) == 0)
        {
            _occupiedRows &= ~(1 << row);
        }
    }

    /// <summary>
    /// The first tick of the next slot that holds entries; <see cref="TimerWheel.Never"/> if none does.
    /// </summary>
    // All entries of a level lie ahead of the current tick, within one slot of the level above. So the lowest occupied
    // level comes first.
    internal readonly long NextTick(long currentTick, out int slot)
    {
        if (_occupiedRows == 0)
        {
            slot = TimerWheel.NoSlot;
            return TimerWheel.Never;
        }

        var row = BitOperations.TrailingZeroCount(_occupiedRows);
        var level = LevelOf(row);
        var digit = BitOperations.TrailingZeroCount(
            level > 0 ? _rows[row] : _rows[0] | _rows[1] | _rows[2] | _rows[TimerWheel.RowOfLevel0]);
        slot = ((level + TimerWheel.RowOfLevel0) * TimerWheel.SlotsPerRow) + digit;
        var shift = level * TimerWheel.DigitBits;
        var above = shift + TimerWheel.DigitBits;
        return ((currentTick >> above) << above) | ((long)digit << shift);
    }

    private static int LevelOf(int row) => Math.Max(0, row - TimerWheel.RowOfLevel0);

    /// <summary>One word for each row, and one that stays zero for entries that are never due.</summary>
    [InlineArray(TimerWheel.RowOfLevel0 + TimerWheel.Levels + 1)]
    private struct Rows
    {
        private ulong _row;
    }
}
