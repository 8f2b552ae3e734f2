namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The last tenancy times out.</summary>
internal sealed class LeaseOfOtherThreadsTimesOut : LeaseOfOtherThreads
{
    internal override int Bound => 1;

    protected override bool TimesOut => true;
}
