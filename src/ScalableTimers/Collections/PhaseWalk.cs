using Microsoft.Extensions.Logging;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <summary>Walks one collection in bounded steps and ends the entries that end with a phase of the service.</summary>
/// <remarks>
/// The collection has entered the phase before the walk. So nothing begins any more that would end with the phase, and
/// the walk misses no entry that stays linked. The collection's lock is free between the steps, and user code may run
/// then.
/// </remarks>
internal sealed partial class PhaseWalk(TimerCollection collection, ServicePhase phase, ILogger logger)
{
    private readonly CollectionEntry[] _ended = new CollectionEntry[TimerCollection.StepSize];
    private readonly WheelSweep _sweep = new(new SweepMarker(collection));

    /// <summary>Walks to the end.</summary>
    /// <returns>How many delays have ended.</returns>
    internal int Run()
    {
        var cancelled = 0;
        do
        {
            var count = collection.EndSome(phase, _sweep, _ended, ref cancelled);
            foreach (var entry in _ended.AsSpan(0, count))
            {
                Finish(entry);
            }
        }
        while (!_sweep.IsOver);

        if (phase == ServicePhase.Disposed)
        {
            collection.Close();
        }

        return cancelled;
    }

    // Completes a delay or hands a timer over. If a continuation or the clock throws, the other entries are finished
    // all the same.
    private void Finish(CollectionEntry entry)
    {
        // In virtual time continuations run here. What one sets in the thread's contexts must not reach the next one or
        // the caller.
        var context = new ThreadContext();
        try
        {
            entry.FinishEnd();
        }
#pragma warning disable CA1031 // Whatever user code throws, the entries that come after this one must end too.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            LogEndFailed(logger, exception);
        }

        context.Restore();
    }
}
