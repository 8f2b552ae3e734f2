using System.Runtime.CompilerServices;

namespace ScalableTimers.Queues;

/// <content>
/// Records where the queue's lock is entered. The compiler prefers this overload to the core's, which it calls, and the
/// nested lock to the namespace's.
/// </content>
internal sealed partial class TimerQueue
{
    // The caller of Enter, until Enter has the lock.
    [ThreadStatic]
    private static Site? s_caller;

    [OverloadResolutionPriority(1)]
    internal void Enter(int me, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        s_caller = new Site(OperationKind.EnterCoreLock, "", file, line);
        EnterOfTheCore(this, me);
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = nameof(Enter))]
    private static extern void EnterOfTheCore(TimerQueue queue, int me);

    /// <summary>Hides <see cref="Queues.ReentrantInterlockedLock"/>.</summary>
    private struct ReentrantInterlockedLock
    {
        private ScalableTimers.ReentrantInterlockedLock _lock;

        internal bool IsHeldByCurrentThread => _lock.IsHeldByCurrentThread;

        internal void Enter([CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
            Enter(Environment.CurrentManagedThreadId, file, line);

        internal void Enter(int me, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
        {
            var site = s_caller ?? new Site(OperationKind.EnterCoreLock, "", file, line);
            s_caller = null;
            _lock.Enter(me, site.File, site.Line);
        }

        internal void Exit(int me) => _lock.Exit(me);
    }
}
