namespace ScalableTimers.Tests;

/// <summary>Tests that need the processors for themselves run after all others, one by one.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public class Alone;
