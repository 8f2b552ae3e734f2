namespace Orleans.Timers.Scalable.Tests;

/// <summary>The tests that share <see cref="DeadlineSilos"/>.</summary>
[CollectionDefinition(nameof(DeadlineTestGroup))]
public sealed class DeadlineTestGroup : ICollectionFixture<DeadlineSilos>;
