using ScalableTimers.Timers;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Counts the calls that it gets.</summary>
internal sealed class CountingObserver : DelayObserver
{
    internal int Begun { get; private set; }

    internal int Ended { get; private set; }

    internal override void OnBegun() => Begun++;

    internal override void OnEnded() => Ended++;
}
