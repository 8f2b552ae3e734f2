using ScalableTimers.Timers;

namespace Orleans.Timers.Scalable.Grains;

/// <summary>Tells who awaits a grain's delay why the delay was cancelled.</summary>
/// <remarks>
/// Without these words it would look like a cancellation by a token of the code that awaits. The grain's caller gets
/// the exception as the inner one of another; see <see cref="EndedCallCopier"/>.
/// </remarks>
internal class GrainDelayObserver(IGrainContext context) : DelayObserver
{
    internal override void OnBegun()
    {
    }

    internal override void OnEnded()
    {
    }

    internal override string? ReasonOf(DelayOutcome outcome) =>
        outcome == DelayOutcome.Stopped
            ? $"The silo of grain {context.GrainId} is being stopped, so the grain's delay was cancelled. The caller "
                + "may call it again."
            : Deactivates();

    internal string Deactivates() =>
        $"Grain {context.GrainId} is being deactivated, so its delay was cancelled. The caller may call it again.";
}
