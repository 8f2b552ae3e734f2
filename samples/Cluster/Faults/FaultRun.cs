using System.Collections.Concurrent;
using Cluster.Load;
using Cluster.Silos;

namespace Cluster.Faults;

/// <summary>What a scenario acts on.</summary>
/// <param name="Cluster">The silos.</param>
/// <param name="Load">The load that the silos serve.</param>
/// <param name="HasPlugin">Whether the silos that a scenario restarts have the plugin.</param>
/// <param name="RecoversFast">Whether the silos have the preset for fast recovery.</param>
/// <param name="Server">The database server; null if it is not the demo's own.</param>
/// <param name="Database">The proxy to the database, or null.</param>
/// <param name="Cancellation">Ends the scenario early.</param>
internal sealed record FaultRun(
    SiloCluster Cluster,
    BankLoad Load,
    bool HasPlugin,
    bool RecoversFast,
    PostgresServer? Server,
    Proxy? Database,
    CancellationToken Cancellation)
{
    /// <summary>When each fault began, in seconds of load.</summary>
    public List<double> FaultsAt { get; } = [];

    /// <summary>
    /// The number of the silo that a fault hits: the second one, the first, the third, and so on. A restarted silo has
    /// few grains, so no silo is hit twice in a row.
    /// </summary>
    public int Victim => ((2 * FaultsAt.Count) - 1) % SiloCluster.Size;

    /// <summary>What was done and when, in seconds of load.</summary>
    public ConcurrentQueue<(double At, string What)> Marks { get; } = [];

    public void Mark(string what) => Marks.Enqueue((Load.Elapsed.TotalSeconds, what));

    public Task WaitAsync(int seconds) => Task.Delay(TimeSpan.FromSeconds(seconds), Cancellation);

    public void Start(int silo, bool hasPlugin)
    {
        Mark($"silo{silo + 1} is started again");
        Cluster.Start(silo, hasPlugin);
    }
}
