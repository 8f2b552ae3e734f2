using System.Collections.Concurrent;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A gate at which calls wait. All silos share the process, so a gate need not be sent to them.</summary>
internal sealed class Gate
{
    private static readonly ConcurrentDictionary<Guid, Gate> s_all = new();

    private readonly TaskCompletionSource<int> _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _allCancelled = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _arrivals;
    private int _cancellations;

    /// <summary>How many calls a test expects.</summary>
    internal int Expected { get; set; } = 1;

    internal int Arrivals => Volatile.Read(ref _arrivals);

    internal int Cancellations => Volatile.Read(ref _cancellations);

    internal Task<int> Opened => _opened.Task;

    /// <summary>Completes when all expected calls wait.</summary>
    internal Task Reached => _reached.Task;

    /// <summary>Completes when all expected calls have been cancelled at the callee.</summary>
    internal Task AllCancelled => _allCancelled.Task;

    internal static Gate Of(Guid gate) => s_all.GetOrAdd(gate, static _ => new Gate());

    internal void Arrived()
    {
        if (Interlocked.Increment(ref _arrivals) == Expected)
        {
            _reached.TrySetResult();
        }
    }

    internal void Cancelled()
    {
        if (Interlocked.Increment(ref _cancellations) == Expected)
        {
            _allCancelled.TrySetResult();
        }
    }

    internal void Open(int answer) => _opened.TrySetResult(answer);

    internal void Fail(Exception exception) => _opened.TrySetException(exception);
}
