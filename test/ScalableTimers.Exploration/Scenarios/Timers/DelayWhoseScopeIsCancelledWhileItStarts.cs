using ScalableTimers.Exploration.Scenarios.Collections;
using ScalableTimers.Timers;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>The same with the second token of a delay.</summary>
internal sealed class DelayWhoseScopeIsCancelledWhileItStarts : DelayCancelledWhileItStarts
{
    protected override ValueTask<bool> Start(TimerService service, CancellationToken token) =>
        service.StartDelay(Stage.Ticks(10), DelayOptions.ReportCancellation, default, token).AsValueTaskOfBool();
}
