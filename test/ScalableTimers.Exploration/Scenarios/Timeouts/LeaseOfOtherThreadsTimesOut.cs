namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The last of them times out.</summary>
internal sealed class LeaseOfOtherThreadsTimesOut : LeaseOfOtherThreads
{
    // Two preemptions take many tens of thousands of interleavings. Full length has them.
    internal override int Bound => 1;

    protected override bool TimesOut => true;
}
