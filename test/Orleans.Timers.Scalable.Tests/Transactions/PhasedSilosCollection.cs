namespace Orleans.Timers.Scalable.Tests;

/// <summary>The tests that share <see cref="PhasedSilos"/>.</summary>
[CollectionDefinition(Name)]
#pragma warning disable CA1711 // It is what xunit calls a collection.
public sealed class PhasedSilosCollection : ICollectionFixture<PhasedSilos>
#pragma warning restore CA1711
{
    internal const string Name = "Silos with bounded transaction phases";
}
