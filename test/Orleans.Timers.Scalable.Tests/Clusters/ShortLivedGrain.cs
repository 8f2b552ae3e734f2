using Orleans.Placement;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Not reentrant, and collected when it has been idle for <see cref="Age"/>.</summary>
[PreferLocalPlacement]
internal sealed class ShortLivedGrain(IGrainDelay delay) : ScriptableGrain(delay), IShortLivedGrain
{
    internal static readonly TimeSpan Age = TimeSpan.FromSeconds(2);
}
