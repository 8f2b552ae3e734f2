using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public sealed class CallTimeoutsBuilderExtensionsTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void AddCallTimeouts_OnceOrTwice_AddsOneFilterEachWayAndTheService(int times)
    {
        var silo = TestHosts.SiloServices(silo => Repeat(times, () => silo.AddCallTimeouts()));
        var client = TestHosts.ClientServices(client => Repeat(times, () => client.AddCallTimeouts()));

        foreach (var services in new[] { silo, client })
        {
            Assert.Single(services, static service => service.ImplementationType == typeof(CallTimeoutFilter));
            Assert.Single(services, static service => service.ImplementationType == typeof(TransactionalCallFilter));
            Assert.Single(services, static service => service.ServiceType == typeof(TimerService));
        }
    }

    // Each bounded call would pass a filter around ours twice.
    [Fact]
    public void AddCallTimeouts_AfterOtherFilters_IsTheFirstOfThem()
    {
        var services = TestHosts.SiloServices(static silo => silo
            .AddOutgoingGrainCallFilter(static call => call.Invoke())
            .AddCallDeadlines()
            .AddCallTimeouts());

        Assert.Equal(
            typeof(CallTimeoutFilter),
            services.First(static service => service.ServiceType == typeof(IOutgoingGrainCallFilter))
                .ImplementationType);
        Assert.Single(services, static service => service.ImplementationType == typeof(TransactionalCallFilter));
    }

    // This is the remedy in the message of the silo that refuses to start. The second call used to do nothing.
    [Fact]
    public void AddCallTimeouts_AgainAfterOneWasPutInFront_IsTheFirstOfThem()
    {
        var services = TestHosts.SiloServices(static silo =>
        {
            silo.AddCallTimeouts().Services.Insert(0, ServiceDescriptor.Singleton<IOutgoingGrainCallFilter, InFront>());
            silo.AddCallTimeouts();
        });

        Assert.Equal(
            [typeof(CallTimeoutFilter), typeof(InFront)],
            services.Where(static service => service.ServiceType == typeof(IOutgoingGrainCallFilter))
                .Select(static service => service.ImplementationType));
        Assert.Single(services, static service => service.ServiceType == typeof(CallTimeoutOrder));
    }

    [Fact]
    public void AddCallTimeouts_WithScalableTimers_KeepsTheirOptions()
    {
        using var host = TestHosts.Silo(static silo => silo
            .AddScalableTimers(static options => options.Resolution = TimeSpan.FromMilliseconds(3))
            .AddCallTimeouts());

        Assert.Equal(TimeSpan.FromMilliseconds(3), host.Services.GetRequiredService<TimerService>().Resolution());
    }

    [Fact]
    public void AddCallTimeouts_Once_PublishesItsFigures()
    {
        using var host = TestHosts.Silo(static silo => silo.AddCallTimeouts());
        _ = host.Services.GetServices<IOutgoingGrainCallFilter>().ToList();
        var published = new List<string>();
        using var listener = new MeterListener();

        listener.InstrumentPublished = (instrument, _) => published.Add(instrument.Name);
        listener.Start();

        Assert.Superset(
            new HashSet<string>
            {
                "scalable_timers.calls.timed_out",
                "scalable_timers.calls.cancelled",
                "scalable_timers.calls.answered_late",
                "scalable_timers.calls.abandoned",
            },
            published.ToHashSet());
    }

    private static void Repeat(int times, Action action)
    {
        for (var i = 0; i < times; i++)
        {
            action();
        }
    }

    private sealed class InFront : IOutgoingGrainCallFilter
    {
        public Task Invoke(IOutgoingGrainCallContext context) => context.Invoke();
    }
}
