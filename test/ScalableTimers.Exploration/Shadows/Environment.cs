namespace ScalableTimers;

/// <summary>
/// Hides <see cref="global::System.Environment"/>, so that no interleaving depends on what the machine does: two
/// processors, of whose time the process takes much.
/// </summary>
internal static class Environment
{
    private static int s_read;

    internal static int CurrentManagedThreadId => global::System.Environment.CurrentManagedThreadId;

    internal static int ProcessorCount => 2;

    internal static (TimeSpan UserTime, TimeSpan TotalTime) CpuUsage => (default, TimeSpan.FromMinutes(++s_read));

    internal static long TickCount64 => (long)LogicalThread.Current.Run.Clock.Elapsed.TotalMilliseconds;

    internal static string NewLine => global::System.Environment.NewLine;

    internal static string StackTrace => global::System.Environment.StackTrace;

    internal static string? GetEnvironmentVariable(string name) =>
        global::System.Environment.GetEnvironmentVariable(name);
}
