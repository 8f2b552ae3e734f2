using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Where code runs, described by everything that matters to Orleans.</summary>
internal sealed record Place(TaskScheduler Scheduler, IGrainContext? Context)
{
    internal static Place Current(ScriptableGrain grain)
    {
        Assert.NotSame(TaskScheduler.Default, TaskScheduler.Current);
        var place = new Place(
            TaskScheduler.Current, grain.Services.GetRequiredService<IGrainContextAccessor>().GrainContext);
        Assert.Same(grain.GrainContext, place.Context);
        return place;
    }
}
