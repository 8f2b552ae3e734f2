using ScalableTimers.Driving;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Threads near a limit. The first starts fail, and so do the first turns, which the pool may have queued all the same.
/// </summary>
internal sealed class ScarceThreads(int failingStarts, int failingTurns, bool queuesFailingTurns = false) : ThreadSupply
{
    private int _starts;
    private int _turns;
    private bool _isStarting;

    internal override void Start(Thread thread)
    {
        Interleaving.Require(!_isStarting, "Two start the driver's thread at once.");
        _isStarting = true;
        Interleaving.Point("Starting a thread");
        _isStarting = false;
        if (_starts++ < failingStarts)
        {
            throw new InsufficientMemoryException("No thread, says the scenario.");
        }

        base.Start(thread);
    }

    internal override void Queue(IThreadPoolWorkItem item)
    {
        var isRefused = item is ThreadWakeSource && _turns++ < failingTurns;
        if (!isRefused || queuesFailingTurns)
        {
            base.Queue(item);
        }

        if (isRefused)
        {
            throw new InsufficientMemoryException("No turn, says the scenario.");
        }
    }
}
