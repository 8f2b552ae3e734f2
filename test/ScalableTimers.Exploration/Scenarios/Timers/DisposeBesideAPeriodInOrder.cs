namespace ScalableTimers.Exploration.Scenarios.Timers;

/// <summary>The same where timers fire in order.</summary>
internal sealed class DisposeBesideAPeriodInOrder : DisposeBesideAPeriod
{
    protected override bool FiresInOrder => true;
}
