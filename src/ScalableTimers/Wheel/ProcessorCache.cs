using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace ScalableTimers.Wheel;

/// <summary>
/// Prefetches into the processor's cache, because with many timers pending, the memory needed next is not there.
/// </summary>
internal static class ProcessorCache
{
    private const int LineSize = 64;

    /// <summary>Starts to fetch the first 64 bytes of an object's fields, without waiting.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe void Fetch(object value)
    {
        if (Sse.IsSupported)
        {
            // If the garbage collector has just moved the object, the old address is harmless: prefetching never
            // faults.
            var address = Unsafe.As<object, nint>(ref value);
            Sse.Prefetch0((void*)address);
            Sse.Prefetch0((void*)(address + LineSize));
        }
    }
}
