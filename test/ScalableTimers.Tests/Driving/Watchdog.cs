using ScalableTimers.Driving;

namespace ScalableTimers.Tests.Driving;

/// <summary>A test's thread that watches until it has to drive, or until the watch is disposed.</summary>
internal sealed class Watchdog
{
    private readonly TaskCompletionSource<bool> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Returns when the thread watches.</summary>
    public Watchdog(FiringWatchdog watch)
    {
        var thread = new TestThread(() => _ended.SetResult(watch.UntilTakeOver()));
        thread.Start();
        Wait.Until(() => watch.IsWatched, "somebody who watches");
    }

    /// <summary>Whether the thread has to drive. The task completes when the thread has stopped watching.</summary>
    internal Task<bool> Leads => _ended.Task;
}
