using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="System.Threading.ThreadPool"/>. The scenario's pool threads run the queued items.
/// </summary>
[Shadow]
internal static class ThreadPool
{
    internal static bool UnsafeQueueUserWorkItem(
        IThreadPoolWorkItem item, bool preferLocal, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        Queue(item.Execute, new Site(OperationKind.Queue, "", file, line));
        return true;
    }

    internal static bool UnsafeQueueUserWorkItem(
        WaitCallback callback,
        object? state,
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0)
    {
        Queue(() => callback(state), new Site(OperationKind.Queue, "", file, line));
        return true;
    }

    private static void Queue(Action item, in Site site)
    {
        if (LogicalThread.Current is not { } me)
        {
            Interleaving.CheckOutside();
            Interleaving.Active!.Pool.Add(item);
            return;
        }

        me.Run.Begin(me, site);
        me.Run.EmptyBuffer(me);
        me.Run.Pool.Add(item);
        me.Run.Note(me, site, "");
        me.Run.End(me, site);
    }
}
