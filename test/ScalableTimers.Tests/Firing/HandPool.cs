using System.Collections.Concurrent;
using ScalableTimers.Firing;

namespace ScalableTimers.Tests.Firing;

/// <summary>A pool whose items the test runs itself, and that can refuse them.</summary>
internal sealed class HandPool : ThreadSupply
{
    private readonly ConcurrentQueue<IThreadPoolWorkItem> _queued = new();

    internal bool Refuses { get; set; }

    /// <summary>
    /// Whether it queues what it refuses, as .NET's pool does when it is a thread that cannot be started.
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
