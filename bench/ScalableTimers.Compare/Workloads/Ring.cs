using System.Runtime.InteropServices;

namespace ScalableTimers.Compare.Workloads;

/// <summary>Passes values from one thread to another, in order. Its own cost is small.</summary>
/// <param name="capacity">A power of two.</param>
internal sealed class Ring<T>(int capacity)
{
    // Guards
    //   _added    the adding thread (written); its position is read by the other
    //   _taken    the taking thread (written); its position is read by the other
    private readonly T[] _values = new T[capacity];
    private RingPosition _added;
    private RingPosition _taken;

    internal void Add(T value)
    {
        var added = _added.Own;
        if (added - _added.KnownOfOther == _values.Length)
        {
            var spinner = default(SpinWait);
            while (added - (_added.KnownOfOther = Volatile.Read(ref _taken.Own)) == _values.Length)
            {
                spinner.SpinOnce(sleep1Threshold: -1);
            }
        }

        _values[added & (_values.Length - 1)] = value;
        Volatile.Write(ref _added.Own, added + 1);
    }

    internal T Take()
    {
        var taken = _taken.Own;
        if (taken == _taken.KnownOfOther)
        {
            var spinner = default(SpinWait);
            while (taken == (_taken.KnownOfOther = Volatile.Read(ref _added.Own)))
            {
                spinner.SpinOnce(sleep1Threshold: -1);
            }
        }

        var value = _values[taken & (_values.Length - 1)];
        Volatile.Write(ref _taken.Own, taken + 1);
        return value;
    }
}

/// <summary>The position of one side of a <see cref="Ring{T}"/>, on its own cache lines.</summary>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct RingPosition
{
    [FieldOffset(128)]
    public long Own;

    /// <summary>The position of the other side when this side last looked.</summary>
    [FieldOffset(136)]
    public long KnownOfOther;
}
