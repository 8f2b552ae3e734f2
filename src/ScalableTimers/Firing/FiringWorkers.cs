using System.Runtime.InteropServices;

namespace ScalableTimers.Firing;

/// <summary>Counts the activities of threads that run expired timers, so that a disposal can wait for them.</summary>
internal sealed class FiringWorkers
{
    // The workers on this thread's stack, of any service, the innermost last.
    [ThreadStatic]
    private static List<Worker>? s_workers;

    // Guards
    //   _workers   interlocked
    //   _idle      compare-exchange; set by the first thread that waits. A waiting thread sees it set
    private TaskCompletionSource? _idle;
    private int _workers;

    /// <summary>Counts a worker that is about to begin on another thread, by <see cref="Enter"/>.</summary>
    internal void Add() => Interlocked.Increment(ref _workers);

    /// <summary>Makes this thread a worker that has been counted.</summary>
    internal void Enter() => (s_workers ??= []).Add(new Worker(this, HasLeft: false));

    /// <summary>Makes this thread a worker.</summary>
    internal void Begin()
    {
        Add();
        Enter();
    }

    /// <summary>Ends this thread's innermost worker.</summary>
    internal void End()
    {
        var workers = s_workers!;
        var worker = workers[^1];
        workers.RemoveAt(workers.Count - 1);
        if (!worker.HasLeft)
        {
            Discount();
        }
    }

    /// <summary>
    /// Stops counting this thread's innermost worker while it runs an item that no disposal waits for. The rest of its
    /// batch is left to a worker that was queued before.
    /// </summary>
    /// <returns>Whether <see cref="StepIn"/> must follow, before the worker takes another item.</returns>
    internal bool StepOut()
    {
        ref var worker = ref CollectionsMarshal.AsSpan(s_workers)[^1];
        if (worker.HasLeft)
        {
            return false;
        }

        worker.HasLeft = true;
        Discount();
        return true;
    }

    /// <summary>Counts the worker again.</summary>
    internal void StepIn()
    {
        Add();
        CollectionsMarshal.AsSpan(s_workers)[^1].HasLeft = false;
    }

    /// <summary>
    /// Whether this thread's innermost worker is no longer counted, because one of its callbacks waits for all others.
    /// Such a worker takes no more items.
    /// </summary>
    internal bool HasLeftHere() => _idle is not null && s_workers![^1].HasLeft;

    /// <summary>Waits for callbacks that run or are about to run, except those on the calling thread's stack.</summary>
    internal Task WaitForOthersAsync()
    {
        var idle = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        idle = Interlocked.CompareExchange(ref _idle, idle, null) ?? idle;

        // Stop counting this thread's workers. The rest of their batches is left to workers that were queued before.
        foreach (ref var worker in CollectionsMarshal.AsSpan(s_workers))
        {
            if (ReferenceEquals(worker.Owner, this) && !worker.HasLeft)
            {
                worker.HasLeft = true;
                Discount();
            }
        }

        if (Volatile.Read(ref _workers) == 0)
        {
            idle.TrySetResult();
        }

        return idle.Task;
    }

    private void Discount()
    {
        // The decrement is a full fence: a waiter that comes now sees the decrement, or this thread sees the waiter.
        if (Interlocked.Decrement(ref _workers) == 0)
        {
            Volatile.Read(ref _idle)?.TrySetResult();
        }
    }

    /// <summary>An activity of one thread that counts as a running callback.</summary>
    private record struct Worker(FiringWorkers Owner, bool HasLeft);
}
