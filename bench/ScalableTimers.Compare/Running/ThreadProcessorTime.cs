using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace ScalableTimers.Compare.Running;

/// <summary>The processor time of one thread, for which .NET has no exact figure.</summary>
[SupportedOSPlatform("linux")]
internal static class ThreadProcessorTime
{
    private const int OfThisThread = 3;

    /// <summary>Returns what the calling thread has used since it began.</summary>
    internal static TimeSpan Now() => GetTime(OfThisThread, out var used) == 0
        ? TimeSpan.FromSeconds(used.Seconds) + TimeSpan.FromMicroseconds(used.Nanoseconds / 1e3)
        : throw new InvalidOperationException(Marshal.GetLastPInvokeErrorMessage());

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [DllImport("libc", EntryPoint = "clock_gettime", ExactSpelling = true, SetLastError = true)]
    private static extern int GetTime(int clock, out Duration time);

    // The timespec of C.
    [StructLayout(LayoutKind.Sequential)]
    private struct Duration
    {
        internal nint Seconds;
        internal nint Nanoseconds;
    }
}
