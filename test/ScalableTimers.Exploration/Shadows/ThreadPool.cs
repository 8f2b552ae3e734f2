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

    /// <summary>Not a scheduling point: a hint, which any thread may change at any time.</summary>
    internal static long PendingWorkItemCount => LogicalThread.Current.Run.Pool.Count;

    internal static void GetMaxThreads(out int workers, out int ports) => workers = ports = 1;

    internal static void GetMinThreads(out int workers, out int ports) => workers = ports = 1;

    /// <summary>None, so that the driver looks at every tick whether its batches have been begun.</summary>
    internal static void GetAvailableThreads(out int workers, out int ports) => workers = ports = 0;

    internal static void Queue(
        Action item, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        var me = LogicalThread.Current;
        var site = new Site(OperationKind.Queue, "", file, line);
        me.Begin(site);
        me.EmptyBuffer();
        me.Run.Pool.Add(item);
        me.Note(site);
        me.End(site);
    }
}
