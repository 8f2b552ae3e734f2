
namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The same, while the pool reports a failure for the first turn and runs it all the same.</summary>
internal sealed class TurnRefusedAndQueued : ThreadThatCannotBeStarted
{
    protected override ScarceThreads NewThreads() => new(failingStarts: 1, failingTurns: 1, queuesFailingTurns: true);
}
