using System.Runtime.ExceptionServices;
using ScalableTimers.Firing;

namespace ScalableTimers.Queues;

/// <summary>Ends the entries of one queue that end with a phase of the service.</summary>
/// <remarks>
/// The queue has entered the phase before the walk, so nothing that would end with the phase begins any more, and the
/// walk misses no entry that stays linked. User code may run between steps.
/// </remarks>
internal sealed class EndingWalk(TimerQueue queue, ServicePhase phase) : QueueWalk(queue)
{
    private static readonly TimerCallback s_finish = static entry => ((QueueEntry)entry!).FinishEnd();

    private readonly List<QueueEntry> _ended = new(TimerQueue.StepSize);

    /// <summary>The first exception that was not logged. The caller throws it when all queues are done.</summary>
    internal ExceptionDispatchInfo? Failure { get; private set; }

    /// <summary>Walks to the end.</summary>
    internal void Run()
    {
        while (!IsOver)
        {
            Queue.Step(this);
            _ended.ForEach(Finish);
            _ended.Clear();
        }
    }

    internal override void VisitLocked(QueueEntry entry)
    {
        if (Queue.EndLocked(entry, phase) is ServiceEnd.Cancelled or ServiceEnd.Outlives)
        {
            _ended.Add(entry);
        }
    }

    // In virtual time continuations run here.
    private void Finish(QueueEntry entry)
    {
        try
        {
            Queue.Dispatcher.Fire(new FiringItem(s_finish, entry));
        }
#pragma warning disable CA1031 // User code may throw anything, and the entries after this one must still end.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            Failure ??= ExceptionDispatchInfo.Capture(exception);
        }
    }
}
