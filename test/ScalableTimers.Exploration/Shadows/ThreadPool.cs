using System.Runtime.CompilerServices;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="System.Threading.ThreadPool"/>. The scenario's pool threads run the queued items.
/// </summary>
internal static class ThreadPool
{
    internal static bool UnsafeQueueUserWorkItem(
        IThreadPoolWorkItem item, bool preferLocal, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        Queue(item.Execute, file, line);
        return true;
    }

    internal static bool UnsafeQueueUserWorkItem(
        WaitCallback callback,
        object? state,
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0)
    {
        Queue(() => callback(state), file, line);
        return true;
    }

    /// <summary>If the event is set, the callback is queued before all other items.</summary>
    internal static void UnsafeRegisterWaitForSingleObject(
        ManualResetEvent set,
        WaitOrTimerCallback callback,
        object? state,
        int milliseconds,
        bool executeOnlyOnce,
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0) =>
        Queue(() => callback(state, timedOut: milliseconds == 0), file, line, isFirst: set.IsSet && executeOnlyOnce);

    /// <summary>Not a scheduling point: a hint, which any thread may change at any time.</summary>
    internal static long PendingWorkItemCount => LogicalThread.Current.Run.Pool.Count;

    internal static void GetMaxThreads(out int workers, out int ports) => workers = ports = 1;

    internal static void GetMinThreads(out int workers, out int ports) => workers = ports = 1;

    internal static void GetAvailableThreads(out int workers, out int ports) => workers = ports = 1;

    internal static void Queue(
        Action item,
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0,
        bool isFirst = false)
    {
        var me = LogicalThread.Current;
        var site = new Site(OperationKind.Queue, "", file, line);
        me.Begin(site);
        me.EmptyBuffer();
        me.Run.Pool.Add(item, isFirst);
        me.Note(site);
        me.End(site);
    }
}
