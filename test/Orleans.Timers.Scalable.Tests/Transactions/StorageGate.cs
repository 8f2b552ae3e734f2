using System.Collections.Concurrent;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Delays the writes of chosen grains until it is opened.</summary>
internal sealed class StorageGate
{
    private readonly ConcurrentDictionary<GrainId, Closed> _closed = new();

    /// <summary>Lets some more writes of a grain pass, and then none.</summary>
    /// <returns>A task that completes when a write waits.</returns>
    internal Task CloseAfter(IAddressable grain, int writes)
    {
        var closed = new Closed(writes);
        _closed[grain.GetGrainId()] = closed;
        return closed.Waits.Task;
    }

    internal void Open(IAddressable grain)
    {
        if (_closed.TryRemove(grain.GetGrainId(), out var closed))
        {
            closed.Opened.SetResult();
        }
    }

    internal Task Pass(GrainId grain) =>
        _closed.TryGetValue(grain, out var closed) ? closed.Pass() : Task.CompletedTask;

    private sealed class Closed(int writes)
    {
        private int _writes = writes;

        internal TaskCompletionSource Waits { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal TaskCompletionSource Opened { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Task Pass()
        {
            if (Interlocked.Decrement(ref _writes) >= 0)
            {
                return Task.CompletedTask;
            }

            Waits.TrySetResult();
            return Opened.Task;
        }
    }
}
