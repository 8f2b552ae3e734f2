using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace ScalableTimers.Clock;

/// <summary>Sleeps of less than a millisecond, which .NET's waits round up to one.</summary>
/// <remarks>
/// On Linux a thread that asks the kernel to sleep for 0.9 ms wakes some 0.1 ms late. Through .NET it can only ask for
/// 1 ms or none. On other systems no better call is known, and this does nothing.
/// </remarks>
internal static class PreciseSleep
{
    // Linux's EINTR: a signal ended the sleep early.
    private const int Interrupted = 4;

    // Cleared for good if the call is not available, as in a sandbox.
    private static bool s_isAvailable = OperatingSystem.IsLinux();

    internal static bool IsAvailable => Volatile.Read(ref s_isAvailable);

    /// <summary>
    /// Sleeps for a duration. It may return early, so the caller checks the clock again. No other thread can end the
    /// sleep.
    /// </summary>
    /// <param name="duration">Less than a second.</param>
    /// <returns>False if sleeping this way is not possible.</returns>
    internal static bool TrySleep(TimeSpan duration)
    {
        if (!IsAvailable || !OperatingSystem.IsLinux())
        {
            return false;
        }

        try
        {
            var request = new Request { Nanoseconds = (nint)(duration.Ticks * TimeSpan.NanosecondsPerTick) };
            if (NanoSleep(in request, 0) == 0 || Marshal.GetLastPInvokeError() == Interrupted)
            {
                return true;
            }
        }
        catch (Exception exception) when (exception is DllNotFoundException or EntryPointNotFoundException)
        {
        }

        // Missing or refused.
        Volatile.Write(ref s_isAvailable, false);
        return false;
    }

    [SupportedOSPlatform("linux")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [DllImport("libc", EntryPoint = "nanosleep", ExactSpelling = true, SetLastError = true)]
    private static extern int NanoSleep(in Request request, nint remaining);

    // C's timespec.
    [StructLayout(LayoutKind.Sequential)]
    private struct Request
    {
        internal nint Seconds;
        internal nint Nanoseconds;
    }
}
