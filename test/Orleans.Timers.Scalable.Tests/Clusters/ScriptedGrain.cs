using Orleans.Concurrency;
using Orleans.Placement;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Activated where it is first called, and open to other calls while one waits.</summary>
[Reentrant]
[PreferLocalPlacement]
internal sealed class ScriptedGrain(IGrainDelay delay) : ScriptableGrain(delay);
