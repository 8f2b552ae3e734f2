using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>What tests of deadlines do with grains.</summary>
internal static class DeadlineCalls
{
    internal static readonly TimeSpan Long = TimeSpan.FromMinutes(10);

    /// <summary>A grain of its own in a given silo, as seen by somebody else.</summary>
    internal static async Task<IScriptedGrain> NewGrainIn(this IGrainFactory caller, InProcessSiloHandle silo)
    {
        var grain = silo.NewGrain();
        await grain.Activate();
        return caller.GetGrain<IScriptedGrain>(grain.GetPrimaryKey());
    }

    /// <summary>The deadline under which a grain runs when it is called.</summary>
    internal static async Task<TimeSpan?> RemainingIn(IScriptedGrain grain)
    {
        TimeSpan? remaining = null;
        await grain.Run(_ =>
        {
            remaining = GrainDeadline.Remaining;
            return Task.CompletedTask;
        });
        return remaining;
    }

    /// <summary>What a grain that is called finds under the key.</summary>
    internal static async Task<object?> HeaderIn(IScriptedGrain grain)
    {
        object? header = null;
        await grain.Run(_ =>
        {
            header = RequestContext.Get(GrainDeadline.HeaderKey);
            return Task.CompletedTask;
        });
        return header;
    }

    /// <summary>Uses up all time there is.</summary>
    internal static async Task Outlast(TimeSpan remaining)
    {
        await Task.Delay(remaining + TimeSpan.FromMilliseconds(20));
        Assert.Equal(TimeSpan.Zero, GrainDeadline.Remaining);
    }

    /// <summary>A grain, to be called by another one.</summary>
    internal static IScriptedGrain Seen(this IScriptedGrain grain, ScriptableGrain by) =>
        by.Services.GetRequiredService<IGrainFactory>().GetGrain<IScriptedGrain>(grain.GetPrimaryKey());
}
