using Cluster.Faults;

namespace Cluster;

/// <summary>What the command line asks for.</summary>
internal sealed record ClusterSettings(
    IReadOnlyList<Scenario> Scenarios,
    IReadOnlyList<bool> Variants,
    IReadOnlyList<bool> Presets,
    bool IsQuick,
    bool IsLong,
    string Postgres,
    PostgresServer? Server,
    FileInfo? Report);
