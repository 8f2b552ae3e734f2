using System.Runtime.CompilerServices;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="Queues.ReentrantInterlockedLock"/>, which does the work, so that a mutant can skip or delay one
/// call of Enter.
/// </summary>
internal struct ReentrantInterlockedLock
{
    private ExploredLock? _explored;

    internal bool IsHeldByCurrentThread => Explored.IsHeldByCurrentThread;

    private ExploredLock Explored => _explored ??= new ExploredLock();

    internal void Enter([CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        Enter(Environment.CurrentManagedThreadId, file, line);

    internal void Enter(int me, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        Explored.Enter(me, new Site(OperationKind.EnterCoreLock, "", file, line));

    internal void Exit() => Explored.Exit(Environment.CurrentManagedThreadId);

    internal void Exit(int me) => Explored.Exit(me);
}
