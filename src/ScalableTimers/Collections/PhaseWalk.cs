using Microsoft.Extensions.Logging;
using ScalableTimers.Firing;
using ScalableTimers.Wheel;

namespace ScalableTimers.Collections;

/// <summary>Walks through one collection and ends what ends with a phase of the service, in bounded steps.</summary>
/// <remarks>
/// The phase has been entered before, so nothing begins any more that ends with it, and the walk misses nothing that
/// stays linked. The collection's lock is free between the steps. User code may run then.
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

    // Completes a delay or hands a timer over. Neither a continuation nor a clock that throws keeps the other entries
    // from it.
    private void Finish(CollectionEntry entry)
    {
        // In virtual time continuations run here, and leave nothing to each other or to the caller.
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
