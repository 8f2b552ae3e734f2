using Orleans.Timers.Scalable.Tests;

// The tests run one after the other. Some tests measure what they allocate, and a cluster for each processor would be
// too much for small machines.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
[assembly: AssemblyFixture(typeof(TwoSilos))]
[assembly: AssemblyFixture(typeof(VirtualTimeSilo))]
