namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The same after the end of the service, where a lease has a timer of the clock. It does not stay set for an earlier
/// tenancy.
/// </summary>
internal sealed class LeaseTimerOfAnEarlierTenancyOnTheClock : LeaseTimerOfAnEarlierTenancy
{
    protected override TimeoutLease Prepare(TimerService service)
    {
        service.Dispose();
        return service.RentTimeout(TimeSpan.FromMilliseconds(10));
    }

    protected override TimeoutLease RentAnew(TimerService service)
    {
        service.RentTimeout(TimeSpan.FromMilliseconds(100)).Dispose();
        return base.RentAnew(service);
    }
}
