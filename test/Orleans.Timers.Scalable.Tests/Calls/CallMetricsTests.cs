using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Calls;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

// Both tests failed while each owner created its own instruments on the factory's meter: the meter keeps the
// instruments alive, and the instruments keep their owner alive.
public sealed class CallMetricsTests : IDisposable
{
    // As in a host, the factory keeps its meters by name, and disposes them with the container.
    private readonly ServiceProvider _container = new ServiceCollection().AddMetrics().BuildServiceProvider();

    public void Dispose() => _container.Dispose();

    [Fact]
    public void Dispose_OneOfTwoOwners_OnlyTheOtherIsPublished()
    {
        using var timers = new TimerService();
        using var otherTimers = new TimerService();
        using var calls = CallTimers.Of(timers).Statistics.Publish(_container);
        using var otherCalls = CallTimers.Of(otherTimers).Statistics.Publish(_container);
        CallTimers.Of(otherTimers).Statistics.OnTimedOut(new TaskCompletionSource().Task);
        Assert.Equal([0, 1], Measured("scalable_timers.calls.timed_out"));

        calls.Dispose();

        Assert.Equal([1], Measured("scalable_timers.calls.timed_out"));
        otherCalls.Dispose();
        Assert.Empty(Measured("scalable_timers.calls.timed_out"));
    }

    [Fact]
    public void Owner_NotDisposed_FactoryDoesNotKeepItAlive()
    {
        var owners = Make();
        Garbage.CollectUntil(() => !owners.Any(static owner => owner.IsAlive));

        Assert.All(owners, static owner => Assert.False(owner.IsAlive));
        Assert.Empty(Measured("scalable_timers.calls.timed_out"));

        [MethodImpl(MethodImplOptions.NoInlining)]
        WeakReference[] Make()
        {
            var timers = new TimerService();
            var calls = CallTimers.Of(timers).Statistics.Publish(_container);
            timers.Dispose();
            return [new WeakReference(timers), new WeakReference(calls)];
        }
    }

    private List<long> Measured(string name) =>
        Counters.Read(_container.GetRequiredService<IMeterFactory>(), name);
}
