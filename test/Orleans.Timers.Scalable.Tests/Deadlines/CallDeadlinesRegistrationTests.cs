using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Deadlines;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public sealed class CallDeadlinesRegistrationTests
{
    [Fact]
    public void Begin_NotRegistered_ThrowsNamingTheMethodToCall() =>
        CallTimeoutsRegistrationTests.AssertBeginNames(typeof(CallDeadline), "AddCallDeadlines");

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void AddCallDeadlines_Twice_RegistersOnce(bool silo)
    {
        using var host = silo
            ? TestHosts.Silo(static silo => silo.AddCallDeadlines().AddCallDeadlines())
            : TestHosts.Client(static client => client.AddCallDeadlines().AddCallDeadlines());

        Assert.Single(host.Services.GetServices<IOutgoingGrainCallFilter>().OfType<OutgoingDeadlineFilter>());
        Assert.Single(host.Services.GetServices<IIncomingGrainCallFilter>().OfType<IncomingDeadlineFilter>());
        Assert.Single(host.Services.GetServices<TimerService>());
    }
}
