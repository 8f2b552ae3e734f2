using Cluster.Faults;

namespace Cluster;

/// <summary>The settings from the command line.</summary>
/// <param name="Scenarios">What breaks.</param>
/// <param name="Variants">Without the plugin, with it, or both.</param>
/// <param name="Presets">With Orleans' defaults, with fast recovery, or both.</param>
/// <param name="IsQuick">Whether each scenario does only the first half of its things.</param>
/// <param name="IsLong">Whether the rounds of a scenario take at least ten minutes together.</param>
/// <param name="Postgres">How to connect to the database; null if the demo starts its own server.</param>
/// <param name="Server">The demo's own server; null if the database is the user's.</param>
/// <param name="Report">The file for the report, or null.</param>
internal sealed record ClusterSettings(
    IReadOnlyList<Scenario> Scenarios,
    IReadOnlyList<bool> Variants,
    IReadOnlyList<bool> Presets,
    bool IsQuick,
    bool IsLong,
    string? Postgres,
    PostgresServer? Server,
    FileInfo? Report);
