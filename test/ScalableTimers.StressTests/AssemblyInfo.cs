// Each test takes all processors. Beside another it would measure that one.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
