namespace ScalableTimers.Firing;

/// <summary>The source of the driver's threads. A test can replace it by one that runs out of threads.</summary>
internal class ThreadSupply
{
    internal static ThreadSupply Runtime { get; } = new();

    internal virtual void Start(Thread thread) => thread.UnsafeStart();

    internal virtual void Queue(IThreadPoolWorkItem item) =>
        ThreadPool.UnsafeQueueUserWorkItem(item, preferLocal: false);

    /// <summary>Queues an item unless the pool has no thread for it.</summary>
    /// <returns>False if the pool has refused. It may have queued the item all the same.</returns>
    internal bool TryQueue(IThreadPoolWorkItem item)
    {
        try
        {
            Queue(item);
            return true;
        }
        catch (Exception exception) when (IsExhaustion(exception))
        {
            return false;
        }
    }

    /// <summary>
    /// Whether an exception says that no thread can be created, as when the number of processes or the memory is
    /// limited.
    /// </summary>
    internal static bool IsExhaustion(Exception exception) => exception is OutOfMemoryException or ThreadStartException;
}
