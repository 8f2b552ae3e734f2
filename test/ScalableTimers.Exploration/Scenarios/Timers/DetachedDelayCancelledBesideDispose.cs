using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Scenarios.Collections;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>The same, and its token is cancelled before the service is disposed.</summary>
/// <remarks>
/// Not afterwards: a delay of the framework, which it is then, resumes on the real pool when it is cancelled, where the
/// explorer knows nothing of it.
/// </remarks>
internal sealed class DetachedDelayCancelledBesideDispose : DetachedDelayBesideDispose
{
    protected override void End(Stage stage, CancellationTokenSource source)
    {
        Interleaving.Cancel(source);
        base.End(stage, source);
    }
}
