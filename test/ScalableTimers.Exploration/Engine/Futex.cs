using System.Runtime.InteropServices;

namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// Linux's system call for waiting on a word in memory. The framework's waits cost several times as much.
/// </summary>
internal static unsafe partial class Futex
{
    private const int WaitPrivate = 128;
    private const int WakePrivate = 129;

    private static readonly nint s_number = RuntimeInformation.ProcessArchitecture switch
    {
        Architecture.X64 => 202,
        Architecture.Arm64 => 98,
        _ => 0,
    };

    internal static bool IsSupported { get; } = OperatingSystem.IsLinux() && s_number != 0;

    /// <summary>
    /// Waits while the word has the given value, until the thread is woken or some time has passed. It may also return
    /// spuriously.
    /// </summary>
    internal static void Wait(int* word, int value, long milliseconds)
    {
        var duration = new Duration
        {
            Seconds = (nint)(milliseconds / 1000),
            Nanoseconds = (nint)(milliseconds % 1000 * 1_000_000),
        };
        Call(s_number, word, WaitPrivate, value, milliseconds == long.MaxValue ? null : &duration, 0, 0);
    }

    internal static void WakeOne(int* word) => Call(s_number, word, WakePrivate, 1, null, 0, 0);

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint Call(
        nint number, int* word, nint operation, nint value, Duration* timeout, nint otherWord, nint otherValue);

    private struct Duration
    {
        internal nint Seconds;
        internal nint Nanoseconds;
    }
}
