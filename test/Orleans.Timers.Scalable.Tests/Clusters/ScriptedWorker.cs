using Orleans.Concurrency;

namespace Orleans.Timers.Scalable.Tests;

[Reentrant]
[StatelessWorker(maxLocalWorkers: 1)]
internal sealed class ScriptedWorker(IGrainDelay delay) : ScriptableGrain(delay), IScriptedWorker;
