using Orleans.Timers.Scalable.Tests;

// One after the other: some tests measure what they allocate, and a cluster per processor would be too much for small
// machines.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
[assembly: AssemblyFixture(typeof(TwoSilos))]
[assembly: AssemblyFixture(typeof(VirtualTimeSilo))]
