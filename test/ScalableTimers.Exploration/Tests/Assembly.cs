// One interleaving at a time: its threads share two variables of the process, and the garbage collector.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
