using Cluster.Faults;

namespace Cluster;

/// <summary>The settings from the command line.</summary>
internal sealed record ClusterSettings(
    IReadOnlyList<Scenario> Scenarios,
    IReadOnlyList<bool> Variants,
    IReadOnlyList<bool> Presets,
    bool IsQuick,
    bool IsLong,
    string Postgres,
    PostgresServer? Server,
    FileInfo? Report);
