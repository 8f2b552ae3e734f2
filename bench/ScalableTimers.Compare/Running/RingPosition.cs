using System.Runtime.InteropServices;

namespace ScalableTimers.Compare.Running;

/// <summary>
/// The position of one side of a <see cref="Ring{T}"/>, on its own cache lines. Each position is written by one thread.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct RingPosition
{
    [FieldOffset(128)]
    public long Own;

    /// <summary>The position of the other side when this side looked last.</summary>
    [FieldOffset(136)]
    public long KnownOfOther;
}
