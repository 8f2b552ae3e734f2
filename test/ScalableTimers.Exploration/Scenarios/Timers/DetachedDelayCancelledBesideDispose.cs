using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>The same, and its token is cancelled before the service is disposed.</summary>
/// <remarks>
/// The token must not be cancelled afterwards. The delay is then one of the framework, and when it is cancelled, it
/// resumes on the real pool, which the explorer does not know.
/// </remarks>
internal sealed class DetachedDelayCancelledBesideDispose : DetachedDelayBesideDispose
{
    protected override void End(Stage stage, CancellationTokenSource source)
    {
        Interleaving.Cancel(source);
        base.End(stage, source);
    }
}
