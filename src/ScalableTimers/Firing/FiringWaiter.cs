namespace ScalableTimers.Firing;

/// <summary>
/// Somebody who waits until no callback runs, those on the asking thread's stack excepted. The dispatcher's gate guards
/// it.
/// </summary>
internal sealed class FiringWaiter(int exceptions)
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly int _threadId = Environment.CurrentManagedThreadId;
    private int _exceptions = exceptions;

    internal Task Task => _ended.Task;

    /// <summary>
    /// Called on the thread on which a callback has returned, with the number that are still on its stack.
    /// </summary>
    internal void LimitExceptions(int depth)
    {
        if (Environment.CurrentManagedThreadId == _threadId)
        {
            _exceptions = Math.Min(_exceptions, depth);
        }
    }

    internal bool TryEnd(int running)
    {
        if (running > _exceptions)
        {
            return false;
        }

        _ended.TrySetResult();
        return true;
    }
}
