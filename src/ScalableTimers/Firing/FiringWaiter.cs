namespace ScalableTimers.Firing;

/// <summary>
/// A wait until no callback runs, except those on the stack of the thread that waits. The dispatcher's gate guards it.
/// </summary>
internal sealed class FiringWaiter(int exceptions)
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly int _threadId = Environment.CurrentManagedThreadId;
    private int _exceptions = exceptions;

    internal Task Task => _ended.Task;

    /// <summary>
    /// Limits how many callbacks the wait leaves out. Called on a thread on which a callback has returned, with the
    /// number of callbacks still on its stack.
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
