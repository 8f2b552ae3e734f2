using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Deadlines;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public sealed class CallCancellationRegistrationTests
{
    [Fact]
    public void Begin_NotRegistered_ThrowsNamingTheMethodToCall() =>
        CallTimeoutsRegistrationTests.AssertBeginNames(typeof(CallDeadline), "AddCallCancellation");

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void AddCallCancellation_Twice_RegistersOnce(bool silo)
    {
        using var host = silo
            ? TestHosts.Silo(static silo => silo.AddCallCancellation().AddCallCancellation())
            : TestHosts.Client(static client => client.AddCallCancellation().AddCallCancellation());

        Assert.Single(host.Services.GetServices<IOutgoingGrainCallFilter>().OfType<OutgoingDeadlineFilter>());
        Assert.Single(host.Services.GetServices<IIncomingGrainCallFilter>().OfType<IncomingDeadlineFilter>());
        Assert.Single(host.Services.GetServices<TimerService>());
    }
}
