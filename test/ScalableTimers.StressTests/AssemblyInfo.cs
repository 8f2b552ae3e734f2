// Each test takes all processors. If two tests ran at once, each would measure the other.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
