using System.Reflection;
using System.Runtime.Loader;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public sealed class CallTimeoutsRegistrationTests
{
    [Fact]
    public void AddCallTimeouts_Twice_AddsOneFilterEachWayAndTheService()
    {
        var silo = TestHosts.SiloServices(static silo => silo.AddCallTimeouts().AddCallTimeouts());
        var client = TestHosts.ClientServices(static client => client.AddCallTimeouts().AddCallTimeouts());

        foreach (var services in new[] { silo, client })
        {
            Assert.Single(services, static service => service.ImplementationType == typeof(CallTimeoutFilter));
            Assert.Single(services, static service => service.ImplementationType == typeof(TransactionalCallFilter));
            Assert.Single(services, static service => service.ImplementationType == typeof(UnansweredCallFilter));
            Assert.Single(services, static service => service.ServiceType == typeof(TimerService));
        }
    }

    // Each bounded call would pass a filter around ours twice. Calling it again is the remedy named in the message of
    // the silo that refuses to start.
    [Fact]
    public void AddCallTimeouts_AfterOtherFiltersOrTwice_PutsItsFilterFirst()
    {
        var services = TestHosts.SiloServices(static silo =>
        {
            silo.AddOutgoingGrainCallFilter<InFront>().AddCallTimeouts();
            silo.Services.Insert(0, ServiceDescriptor.Singleton<IOutgoingGrainCallFilter, InFront>());
            silo.AddCallTimeouts();
        });

        Assert.Equal(
            [typeof(CallTimeoutFilter), typeof(InFront), typeof(InFront), typeof(UnansweredCallFilter)],
            services.Where(static service => service.ServiceType == typeof(IOutgoingGrainCallFilter))
                .Select(static service => service.ImplementationType));
        Assert.Single(services, static service => service.ServiceType == typeof(CallTimeoutOrder));
    }

    // A limiter in front used to let no call through.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Start_AnotherFilterIsInFront_IsRefusedNamingIt(bool inTheSilo)
    {
        await using var cluster = Clusters.Build(
            silos: 1,
            (_, silo) => PutInFront(silo.AddCallTimeouts().Services, inTheSilo),
            client => PutInFront(client.AddCallTimeouts().Services, !inTheSilo));

        var error = await Record.ExceptionAsync(() => cluster.DeployAsync());

        Assert.Contains($"{typeof(InFront)} is registered in front", error?.ToString(), StringComparison.Ordinal);

        static void PutInFront(IServiceCollection services, bool isWanted)
        {
            if (isWanted)
            {
                services.Insert(0, ServiceDescriptor.Singleton<IOutgoingGrainCallFilter, InFront>());
            }
        }
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
    public void Begin_NotRegistered_ThrowsNamingTheMethodToCall() =>
        AssertBeginNames(typeof(CallTimeout), "AddCallTimeouts");

    /// <summary>
    /// Begins a scope of a second copy of the assembly, whose own static fields have nothing registered.
    /// </summary>
    internal static void AssertBeginNames(Type scope, string method)
    {
        var copy = new AssemblyLoadContext(nameof(CallTimeoutsRegistrationTests), isCollectible: true);
        try
        {
            var begin = copy.LoadFromAssemblyPath(scope.Assembly.Location)
                .GetType(scope.FullName!, throwOnError: true)!
                .GetMethod("Begin", [typeof(TimeSpan)])!;

            var error = Assert.Throws<TargetInvocationException>(() => begin.Invoke(null, [TimeSpan.FromSeconds(1)]));

            Assert.IsType<InvalidOperationException>(error.InnerException);
            Assert.Contains(method, error.InnerException.Message, StringComparison.Ordinal);
        }
        finally
        {
            copy.Unload();
        }
    }

    private sealed class InFront : IOutgoingGrainCallFilter
    {
        public Task Invoke(IOutgoingGrainCallContext context) => context.Invoke();
    }
}
