using System.Runtime.InteropServices;

namespace ScalableTimers.StressTests.Driving;

/// <summary>
/// Gives each of several racing threads its own processor. On a busy machine they would end up on one.
/// </summary>
internal static class Processors
{
    /// <summary>Keeps the calling thread on one processor; does nothing where that cannot be done.</summary>
    internal static void Pin(int index)
    {
        if (!OperatingSystem.IsLinux() || GetAffinity(0, sizeof(ulong), out var allowed) < 0 || allowed == 0)
        {
            return;
        }

        for (index %= (int)ulong.PopCount(allowed); index > 0; index--)
        {
            allowed &= allowed - 1;
        }

        var one = allowed & (~allowed + 1);
        _ = SetAffinity(0, sizeof(ulong), ref one);
    }

    [DllImport("libc", EntryPoint = "sched_getaffinity")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetAffinity(int threadId, nint size, out ulong mask);

    [DllImport("libc", EntryPoint = "sched_setaffinity")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int SetAffinity(int threadId, nint size, ref ulong mask);
}
