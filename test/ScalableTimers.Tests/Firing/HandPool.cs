using System.Collections.Concurrent;
using ScalableTimers.Firing;

namespace ScalableTimers.Tests.Firing;

/// <summary>A pool that can refuse items. The test runs its items itself.</summary>
internal sealed class HandPool : ThreadSupply
{
    private readonly ConcurrentQueue<IThreadPoolWorkItem> _queued = new();

    internal bool Refuses { get; set; }

    /// <summary>
    /// Whether the pool queues the items that it refuses, as .NET's pool does when it cannot start a thread.
    /// </summary>
    internal bool QueuesAllTheSame { get; set; }

    internal int Count => _queued.Count;

    internal override void Queue(IThreadPoolWorkItem turn)
    {
        if (!Refuses || QueuesAllTheSame)
        {
            _queued.Enqueue(turn);
        }

        if (Refuses)
        {
            throw new InsufficientMemoryException("No thread, says the test.");
        }
    }

    internal void RunNext()
    {
        Assert.True(_queued.TryDequeue(out var next), "Nothing is queued.");
        next.Execute();
    }
}
