// Only one interleaving runs at a time, because its threads share two variables of the process, and the garbage
// collector.
[assembly: Xunit.v3.Parallelization(Mode = Xunit.Sdk.ParallelMode.None)]
