using System.Numerics;
using System.Runtime.InteropServices;

namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>
/// Keeps threads on processors, as the update of the original source does: each new thread on the next one.
/// </summary>
internal sealed class Pinned
{
    private int _threads;

    /// <summary>
    /// Gets whether threads can be kept on processors here, which is on Linux only, with at most 64 processors.
    /// </summary>
    internal static bool IsSupported => OperatingSystem.IsLinux() && GetAffinity(0, sizeof(ulong), out _) > 0;

    /// <summary>Keeps the calling thread on the next of the processors that the process may use.</summary>
    /// <exception cref="InvalidOperationException">The system refuses.</exception>
    internal void PinThread()
    {
        if (GetAffinity(0, sizeof(ulong), out var allowed) < 0 || allowed == 0)
        {
            throw new InvalidOperationException("The processors of the process are unknown.");
        }

        for (var left = (Interlocked.Increment(ref _threads) - 1) % BitOperations.PopCount(allowed); left > 0; left--)
        {
            allowed &= allowed - 1;
        }

        var one = allowed & (~allowed + 1);
        if (SetAffinity(0, sizeof(ulong), ref one) != 0)
        {
            throw new InvalidOperationException("The thread cannot be kept on a processor.");
        }
    }

    [DllImport("libc", EntryPoint = "sched_getaffinity")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetAffinity(int threadId, nint size, out ulong mask);

    [DllImport("libc", EntryPoint = "sched_setaffinity")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int SetAffinity(int threadId, nint size, ref ulong mask);
}
