namespace ScalableTimers.Exploration.Scenarios;

/// <summary>The last tenancy is cancelled by its caller's token.</summary>
internal sealed class LeaseOfOtherThreadsIsCancelled : LeaseOfOtherThreads
{
    protected override bool TimesOut => false;
}
