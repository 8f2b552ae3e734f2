using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.Metrics.Testing;
using Orleans.TestingHost;
using Orleans.Timers.Scalable.Deadlines;
using Orleans.Timers.Scalable.Registration;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Calls of grains for the tests of deadlines.</summary>
internal static class DeadlineCalls
{
    internal static readonly TimeSpan Long = TimeSpan.FromMinutes(10);

    /// <summary>A new grain in a given silo, as a reference of another silo or client.</summary>
    internal static async Task<IScriptedGrain> NewGrainIn(this IGrainFactory caller, InProcessSiloHandle silo)
    {
        var grain = silo.NewGrain();
        await grain.Activate();
        return caller.GetGrain<IScriptedGrain>(grain.GetPrimaryKey());
    }

    /// <summary>The deadline under which a grain runs when it is called.</summary>
    internal static Task<TimeSpan?> RemainingIn(IScriptedGrain grain) =>
        grain.Get(static _ => CallDeadline.Remaining);

    /// <summary>The value that a called grain finds in its request context under the key of the header.</summary>
    internal static Task<object?> HeaderIn(IScriptedGrain grain) =>
        grain.Get(static _ => (object?)RequestContext.Get(CallDeadline.HeaderKey));

    /// <summary>Waits until the deadline has passed.</summary>
    internal static async Task Outlast(TimeSpan remaining)
    {
        await Task.Delay(remaining + TimeSpan.FromMilliseconds(20));
        Assert.Equal(TimeSpan.Zero, CallDeadline.Remaining);
    }

    /// <summary>Collects what an instrument of a silo or client counts from now on.</summary>
    internal static MetricCollector<long> Count(this IServiceProvider host, string instrument) =>
        new(host.GetRequiredService<IMeterFactory>(), PluginMeter.Name, instrument);

    internal static int By(this MetricCollector<long> refused, string side) =>
        refused.GetMeasurementSnapshot().Count(each => side.Equals(each.Tags[DeadlineCounts.Side]));

    /// <summary>A grain, to be called by another one.</summary>
    internal static IScriptedGrain Seen(this IScriptedGrain grain, ScriptableGrain by) =>
        by.Services.GetRequiredService<IGrainFactory>().GetGrain<IScriptedGrain>(grain.GetPrimaryKey());
}
