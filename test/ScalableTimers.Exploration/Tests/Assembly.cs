// Only one interleaving runs at a time, because its threads share two variables of the process, and the garbage
// collector.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
