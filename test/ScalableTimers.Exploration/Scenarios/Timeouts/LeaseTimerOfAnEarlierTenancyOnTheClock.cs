namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// The same after the end of the service, where a lease has a timer of the clock's own: it is not left set to what an
/// earlier tenancy wanted.
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
