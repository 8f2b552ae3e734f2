namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Tests of what all silos of the process share, such as Orleans' static timers, and tests that need the processors for
/// themselves. They run after all others, one by one.
/// </summary>
[CollectionDefinition(DisableParallelization = true)]
public sealed class Alone;
