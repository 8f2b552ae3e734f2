using System.Diagnostics;
using Orleans.Placement;

namespace Orleans.Timers.Scalable.Compare;

[PreferLocalPlacement]
internal sealed class HotGrain : Grain, IHotGrain
{
    private long _done;

    public ValueTask<long> Work(TimeSpan duration)
    {
        var start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < duration)
        {
        }

        return new(_done++);
    }
}
