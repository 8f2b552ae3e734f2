using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Collections;

/// <content>
/// Records where the collection's lock is entered. The compiler prefers these overloads to those of the core, which
/// they call. It also prefers the nested lock to the one of the namespace.
/// </content>
internal sealed partial class TimerCollection
{
    // The caller of Enter or EnterOpen, until these enter the lock.
    [ThreadStatic]
    private static Site? s_caller;

    [OverloadResolutionPriority(1)]
    internal bool Enter(int me, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        s_caller = new Site(OperationKind.EnterCoreLock, "", file, line);
        return EnterOfTheCore(this, me);
    }

    [OverloadResolutionPriority(1)]
    internal void EnterOpen(int me, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        s_caller = new Site(OperationKind.EnterCoreLock, "", file, line);
        EnterOpenOfTheCore(this, me);
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = nameof(Enter))]
    private static extern bool EnterOfTheCore(TimerCollection collection, int me);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = nameof(EnterOpen))]
    private static extern void EnterOpenOfTheCore(TimerCollection collection, int me);

    /// <summary>Hides <see cref="Collections.ReentrantInterlockedLock"/>.</summary>
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

        internal void Exit() => _lock.Exit();

        internal void Exit(int me) => _lock.Exit(me);
    }
}
