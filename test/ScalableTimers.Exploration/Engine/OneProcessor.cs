using System.Numerics;
using System.Runtime.InteropServices;

namespace ScalableTimers.Exploration.Engine;

/// <summary>Keeps the threads of an exploration on one processor, on Linux.</summary>
/// <remarks>
/// Only one of them runs at a time. To wake a thread on another processor takes longer than to switch to it on the same
/// one, and that is most of the cost of an interleaving.
/// </remarks>
internal static unsafe partial class OneProcessor
{
    private const int Words = 16;

    /// <summary>Keeps the calling thread there until the result is disposed, on the same thread.</summary>
    internal static Stay Enter()
    {
        var before = new ulong[Words];
        if (OperatingSystem.IsLinux() && TryGet(before))
        {
            var word = Array.FindIndex(before, static bits => bits != 0);
            var one = new ulong[Words];
            one[word] = 1UL << BitOperations.TrailingZeroCount(before[word]);
            Set(one);
        }

        return new Stay(before);
    }

    private static bool TryGet(ulong[] processors)
    {
        fixed (ulong* first = processors)
        {
            return GetAffinity(0, sizeof(ulong) * Words, first) >= 0
                && Array.Exists(processors, static bits => bits != 0);
        }
    }

    // Where the system refuses, the thread stays where it is, and all is slower.
    private static void Set(ulong[] processors)
    {
        fixed (ulong* first = processors)
        {
            _ = SetAffinity(0, sizeof(ulong) * Words, first);
        }
    }

    [LibraryImport("libc", EntryPoint = "sched_getaffinity")]
    private static partial int GetAffinity(int thread, nint size, ulong* processors);

    [LibraryImport("libc", EntryPoint = "sched_setaffinity")]
    private static partial int SetAffinity(int thread, nint size, ulong* processors);

    /// <summary>Ends the stay.</summary>
    internal readonly struct Stay(ulong[] before) : IDisposable
    {
        public void Dispose()
        {
            if (OperatingSystem.IsLinux())
            {
                Set(before);
            }
        }
    }
}
