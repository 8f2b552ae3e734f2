using ScalableTimers.Timers;

namespace Orleans.Timers.Scalable.Grains;

/// <summary>Tells the code that awaits a grain's delay why the delay was cancelled.</summary>
/// <remarks>
/// Without the message, it would look like a cancellation by the awaiting code's own token. The grain's caller gets
/// this exception inside another; see <see cref="EndedCallCopier"/>.
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
