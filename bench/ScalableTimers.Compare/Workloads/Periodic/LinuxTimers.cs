using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>The calls of Linux for timers that are descriptors, and for waiting for many of them.</summary>
[SupportedOSPlatform("linux")]
internal static class LinuxTimers
{
    private const int Monotonic = 1;
    private const int NonBlocking = 0x800;
    private const int CloseOnExec = 0x80000;
    private const int Add = 1;
    private const int Readable = 1;
    private const int Interrupted = 4;

    // An epoll_event is 32 bits of events and 64 bits of data. They are packed on x64, and aligned elsewhere.
    private static readonly int s_dataAt = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 1 : 2;

    /// <summary>Gets the integers that an event takes.</summary>
    internal static int EventLength => s_dataAt + 2;

    internal static int DataOf(ReadOnlySpan<int> events, int index) => events[(index * EventLength) + s_dataAt];

    internal static EpollHandle CreateEpoll() => Checked(EpollCreate(CloseOnExec));

    internal static OsTimer CreateTimer() => Checked(TimerCreate(Monotonic, NonBlocking | CloseOnExec));

    /// <summary>Wakes who waits whenever the timer has expired and was not read since.</summary>
    internal static void Watch(EpollHandle epoll, OsTimer timer, int data)
    {
        Span<int> registration = stackalloc int[EventLength];
        registration.Clear();
        registration[0] = Readable;
        registration[s_dataAt] = data;
        Check(EpollControl(epoll, Add, timer, in registration[0]));
    }

    internal static void Set(OsTimer timer, TimeSpan dueTime, TimeSpan period)
    {
        var setting = new Setting { Period = new Duration(period), DueTime = new Duration(dueTime) };
        Check(TimerSet(timer, flags: 0, in setting, old: 0));
    }

    /// <summary>Waits until timers have expired.</summary>
    /// <param name="epoll">Watches the timers.</param>
    /// <param name="events">Receives them.</param>
    /// <returns>How many.</returns>
    internal static int Wait(EpollHandle epoll, Span<int> events)
    {
        while (true)
        {
            var count = EpollWait(epoll, ref events[0], events.Length / EventLength, Timeout.Infinite);
            if (count >= 0)
            {
                return count;
            }

            // The runtime suspends threads with signals.
            if (Marshal.GetLastPInvokeError() != Interrupted)
            {
                Check(count);
            }
        }
    }

    /// <summary>Reads how often the timer has expired, so that it wakes nobody until the next time.</summary>
    /// <returns>False if it was changed meanwhile, and has not.</returns>
    internal static bool Read(OsTimer timer) => Read(timer, out _, sizeof(ulong)) == sizeof(ulong);

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [DllImport("libc", EntryPoint = "close", ExactSpelling = true)]
    internal static extern int Close(nint descriptor);

    private static T Checked<T>(T handle)
        where T : SafeHandle
    {
        Check(handle.IsInvalid ? -1 : 0);
        return handle;
    }

    private static void Check(int result)
    {
        if (result < 0)
        {
            throw new InvalidOperationException(Marshal.GetLastPInvokeErrorMessage());
        }
    }

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [DllImport("libc", EntryPoint = "epoll_create1", ExactSpelling = true, SetLastError = true)]
    private static extern EpollHandle EpollCreate(int flags);

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [DllImport("libc", EntryPoint = "epoll_ctl", ExactSpelling = true, SetLastError = true)]
    private static extern int EpollControl(EpollHandle epoll, int operation, OsTimer timer, in int registration);

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [DllImport("libc", EntryPoint = "epoll_wait", ExactSpelling = true, SetLastError = true)]
    private static extern int EpollWait(EpollHandle epoll, ref int events, int most, int timeout);

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [DllImport("libc", EntryPoint = "timerfd_create", ExactSpelling = true, SetLastError = true)]
    private static extern OsTimer TimerCreate(int clock, int flags);

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [DllImport("libc", EntryPoint = "timerfd_settime", ExactSpelling = true, SetLastError = true)]
    private static extern int TimerSet(OsTimer timer, int flags, in Setting setting, nint old);

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [DllImport("libc", EntryPoint = "read", ExactSpelling = true, SetLastError = true)]
    private static extern nint Read(OsTimer timer, out ulong expirations, nint length);

    // The itimerspec of C.
    [StructLayout(LayoutKind.Sequential)]
    private struct Setting
    {
        internal Duration Period;
        internal Duration DueTime;
    }

    // The timespec of C. Zero means never.
    [StructLayout(LayoutKind.Sequential)]
    private readonly struct Duration(TimeSpan duration)
    {
        private readonly nint _seconds = (nint)(duration.Ticks / TimeSpan.TicksPerSecond);
        private readonly nint _nanoseconds =
            (nint)(duration.Ticks % TimeSpan.TicksPerSecond * TimeSpan.NanosecondsPerTick);
    }
}
