using System.Runtime.ExceptionServices;
using Microsoft.Extensions.Logging;
using ScalableTimers.Firing;

namespace ScalableTimers.Queues;

/// <summary>Ends the entries of one queue that end with a phase of the service.</summary>
/// <remarks>
/// The queue has entered the phase before the walk. So nothing begins any more that would end with the phase, and the
/// walk misses no entry that stays linked. User code may run between the steps.
/// </remarks>
internal sealed partial class EndingWalk(TimerQueue queue, ServicePhase phase, ILogger? logger) : QueueWalk(queue)
{
    private readonly List<QueueEntry> _ended = new(TimerQueue.StepSize);
    private int _cancelled;

    /// <summary>The first exception that was not logged, or null. The caller throws it when all queues are done.</summary>
    internal ExceptionDispatchInfo? Failure { get; private set; }

    /// <summary>Walks to the end.</summary>
    /// <returns>How many delays have ended.</returns>
    internal int Run()
    {
        while (!IsOver)
        {
            Queue.Step(this);
            _ended.ForEach(Finish);
            _ended.Clear();
        }

        return _cancelled;
    }

    internal override void VisitLocked(QueueEntry entry)
    {
        var end = Queue.EndLocked(entry, phase);
        if (end is ServiceEnd.Cancelled or ServiceEnd.Outlives)
        {
            _ended.Add(entry);
        }

        _cancelled += end == ServiceEnd.Cancelled ? 1 : 0;
    }

    // In virtual time continuations run here. If one throws, the other entries are finished all the same. What one sets
    // in the thread's contexts must not reach the next one or the caller.
    private void Finish(QueueEntry entry)
    {
        var context = new ThreadContext();
        try
        {
            entry.FinishEnd();
        }
#pragma warning disable CA1031 // Whatever user code throws, the entries that come after this one must end too.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            if (logger is null)
            {
                Failure ??= ExceptionDispatchInfo.Capture(exception);
            }
            else
            {
                LogEndFailed(logger, exception);
            }
        }

        context.Restore();
    }

    [LoggerMessage(
        12, LogLevel.Error, "A continuation or the clock threw an exception while the timer service was ending.")]
    private static partial void LogEndFailed(ILogger logger, Exception exception);
}
