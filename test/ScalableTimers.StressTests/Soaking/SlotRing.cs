using ScalableTimers.StressTests.Soaking.Recording;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>The places of one soaker, used in turn.</summary>
internal sealed class SlotRing<T>
    where T : SoakSlot
{
    private const int Tries = 256;

    private readonly T[] _slots;
    private int _next;

    public SlotRing(int count, Func<T> create)
    {
        _slots = new T[count];
        for (var i = 0; i < count; i++)
        {
            _slots[i] = create();
        }
    }

    /// <summary>Returns a free place, or null if that many places in a row are in use.</summary>
    internal T? Next()
    {
        for (var i = 0; i < Tries; i++)
        {
            _next = (_next + 1) % _slots.Length;
            if (_slots[_next].IsFree)
            {
                return _slots[_next];
            }
        }

        return null;
    }

    internal bool AreAllFree => Array.TrueForAll(_slots, static slot => slot.IsFree);

    internal void ReportLost(SoakTally tally)
    {
        foreach (var slot in _slots)
        {
            if (slot.IsLost())
            {
                tally.Report(SoakFault.Lost, slot.ToString());
            }
        }
    }
}
