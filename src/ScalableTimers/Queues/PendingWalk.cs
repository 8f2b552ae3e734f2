namespace ScalableTimers.Queues;

/// <summary>Reads what is pending in one queue.</summary>
internal sealed class PendingWalk(TimerQueue queue, int maxCount) : QueueWalk(queue)
{
    private readonly List<PendingEntry> _found = [];

    internal override bool HasEnough => _found.Count == maxCount;

    /// <summary>Reads the pending entries, at most as many as were asked for.</summary>
    internal List<PendingEntry> Run()
    {
        while (!IsOver && !HasEnough)
        {
            Queue.Step(this);
        }

        return _found;
    }

    internal override void VisitLocked(QueueEntry entry)
    {
        if (entry.TryReadLocked(out var pending))
        {
            _found.Add(pending);
        }
    }
}
