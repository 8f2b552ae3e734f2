using Orleans.Timers.Scalable.Tests;
using Xunit.v3;

// Most tests wait most of the time, so more of them run in parallel than there are processors.
[assembly: Parallelization(MaxThreads = 4)]
[assembly: AssemblyFixture(typeof(TwoSilos))]
[assembly: AssemblyFixture(typeof(VirtualTimeSilo))]
