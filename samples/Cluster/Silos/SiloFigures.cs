using Cluster.Bank;

namespace Cluster.Silos;

/// <summary>The figures of a silo's process since its start.</summary>
internal sealed record SiloFigures(
    WaitFigures Waits, IReadOnlyDictionary<string, int> Log, double ProcessorSeconds, double Megabytes);
