using System.Runtime.InteropServices;

namespace ScalableTimers.Compare.Running;

/// <summary>
/// How far one side of a <see cref="Ring{T}"/> has come, on cache lines of its own: each is written by one thread.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct RingPosition
{
    [FieldOffset(128)]
    public long Own;

    /// <summary>What the other side had come to when this one looked last.</summary>
    [FieldOffset(136)]
    public long KnownOfOther;
}
