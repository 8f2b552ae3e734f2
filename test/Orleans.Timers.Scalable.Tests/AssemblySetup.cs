using Orleans.Timers.Scalable.Tests;

// Most tests wait most of the time, so more of them run in parallel than there are processors.
[assembly: CollectionBehavior(MaxParallelThreads = 4)]
[assembly: AssemblyFixture(typeof(TwoSilos))]
[assembly: AssemblyFixture(typeof(VirtualTimeSilo))]
