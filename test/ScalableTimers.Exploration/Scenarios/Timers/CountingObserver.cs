using ScalableTimers.Timers;

namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>Counts what it hears.</summary>
internal sealed class CountingObserver : DelayObserver
{
    internal int Begun { get; private set; }

    internal int Ended { get; private set; }

    internal override void OnBegun() => Begun++;

    internal override void OnEnded() => Ended++;
}
