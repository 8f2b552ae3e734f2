using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Orleans.TestingHost.Logging;
using Orleans.Timers.Scalable.Deadlines;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public sealed class CallDeadlinesRegistrationTests
{
    private const string Warning = "registered after the filters of AddCallDeadlines";

    private readonly InMemoryLogBuffer _log = new();

    [Fact]
    public void Begin_NotRegistered_ThrowsNamingTheMethodToCall() =>
        CallTimeoutsRegistrationTests.AssertBeginNames(typeof(GrainDeadline), "AddCallDeadlines");

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

    // Failed when a filter behind ours waited: requests ran with more time left than their callers had.
    [Theory]
    [InlineData(true, false, true)]
    [InlineData(true, true, false)]
    [InlineData(false, true, true)]
    public async Task Start_OtherFiltersAreBehind_IsWarnedOnceNamingThem(bool inTheSilo, bool outgoing, bool incoming)
    {
        await Start(inTheSilo, services =>
        {
            if (outgoing)
            {
                services.AddSingleton<IOutgoingGrainCallFilter, Outgoing>();
            }

            if (incoming)
            {
                services.AddSingleton<IIncomingGrainCallFilter, Incoming>();
            }
        });

        var warning = Assert.Single(Warnings());
        Assert.Equal(outgoing, warning.Contains(nameof(Outgoing), StringComparison.Ordinal));
        Assert.Equal(incoming, warning.Contains(nameof(Incoming), StringComparison.Ordinal));
    }

    [Fact]
    public async Task Start_OtherFiltersAreInFrontOrPropagateActivities_IsNotWarned()
    {
        var filters = 0;
        await Start(inTheSilo: true, services =>
        {
            services.Insert(0, ServiceDescriptor.Singleton<IOutgoingGrainCallFilter, Outgoing>());
            services.Insert(0, ServiceDescriptor.Singleton<IIncomingGrainCallFilter, Incoming>());
            new SiloServices(services).AddActivityPropagation();
            filters = services.Count(
                static service =>
                    service.ServiceType == typeof(IIncomingGrainCallFilter)
                        && service.ImplementationType?.Name.StartsWith(
                            "ActivityPropagation", StringComparison.Ordinal) == true);
        });

        Assert.Equal(1, filters);
        Assert.Empty(Warnings());
    }

    private async Task Start(bool inTheSilo, Action<IServiceCollection> addFilters)
    {
        await using var cluster = await Clusters.Deploy(
            silos: 1,
            (_, silo) => Configure(silo.AddCallDeadlines().Services, inTheSilo),
            client => Configure(client.AddCallDeadlines().Services, !inTheSilo));

        void Configure(IServiceCollection services, bool isMeant)
        {
            services.AddLogging(logging => logging.AddProvider(new InMemoryLoggerProvider(_log)));
            if (isMeant)
            {
                addFilters(services);
            }
        }
    }

    private List<string> Warnings() =>
        [
            .. _log.AllEntries.Select(static entry => entry.ToString()!)
                .Where(static entry => entry.Contains(Warning, StringComparison.Ordinal)),
        ];

    private sealed class SiloServices(IServiceCollection services) : ISiloBuilder
    {
        public IServiceCollection Services => services;

        public IConfiguration Configuration { get; } = new ConfigurationBuilder().Build();
    }

    private sealed class Outgoing : IOutgoingGrainCallFilter
    {
        public Task Invoke(IOutgoingGrainCallContext context) => context.Invoke();
    }

    private sealed class Incoming : IIncomingGrainCallFilter
    {
        public Task Invoke(IIncomingGrainCallContext context) => context.Invoke();
    }
}
