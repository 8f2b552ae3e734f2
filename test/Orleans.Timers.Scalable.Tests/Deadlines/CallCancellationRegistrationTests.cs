using System.Reflection;
using System.Runtime.Loader;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Deadlines;
using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

public sealed class CallCancellationRegistrationTests
{
    /// <remarks>
    /// Begins a deadline of a second copy of the assembly, whose own static fields have nothing registered.
    /// </remarks>
    [Fact]
    public void Begin_NotRegistered_ThrowsNamingTheMethodToCall()
    {
        var copy = new AssemblyLoadContext(nameof(CallCancellationRegistrationTests), isCollectible: true);
        try
        {
            var begin = copy.LoadFromAssemblyPath(typeof(CallDeadline).Assembly.Location)
                .GetType(typeof(CallDeadline).FullName!, throwOnError: true)!
                .GetMethod("Begin", [typeof(TimeSpan)])!;

            var error = Assert.Throws<TargetInvocationException>(() => begin.Invoke(null, [TimeSpan.FromSeconds(1)]));

            Assert.IsType<InvalidOperationException>(error.InnerException);
            Assert.Contains("AddCallCancellation", error.InnerException.Message, StringComparison.Ordinal);
        }
        finally
        {
            copy.Unload();
        }
    }

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
        Assert.Single(host.Services.GetServices<IOutgoingGrainCallFilter>().OfType<UnansweredCallFilter>());
        Assert.Single(host.Services.GetServices<IIncomingGrainCallFilter>().OfType<TransactionalCallFilter>());
        Assert.Single(host.Services.GetServices<TimerService>());
    }

    [Fact]
    public void AddCallCancellation_WithScalableTimers_KeepsTheirOptions()
    {
        using var host = TestHosts.Silo(static silo => silo
            .AddScalableTimers(static options => options.Resolution = TimeSpan.FromMilliseconds(3))
            .AddCallCancellation());

        Assert.Equal(TimeSpan.FromMilliseconds(3), host.Services.GetRequiredService<TimerService>().Resolution());
    }
}
