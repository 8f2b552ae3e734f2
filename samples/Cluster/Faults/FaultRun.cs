using System.Collections.Concurrent;
using Cluster.Load;
using Cluster.Silos;

namespace Cluster.Faults;

/// <summary>What a scenario works on.</summary>
/// <param name="Cluster">The silos.</param>
/// <param name="Load">What they serve meanwhile.</param>
/// <param name="HasPlugin">Whether the silos that a scenario starts again have the plugin.</param>
/// <param name="Server">The database server; null if it is not the demo's own.</param>
/// <param name="Database">The way to the database; null without a proxy.</param>
/// <param name="Cancellation">Ends it early.</param>
internal sealed record FaultRun(
    SiloCluster Cluster,
    BankLoad Load,
    bool HasPlugin,
    PostgresServer? Server,
    Proxy? Database,
    CancellationToken Cancellation)
{
    /// <summary>After how many seconds of load each fault has begun.</summary>
    public List<double> FaultsAt { get; } = [];

    /// <summary>
    /// The number of the silo that a fault hits: the second one, the first, the third, and so on. A silo that was
    /// started again has few grains, so the same one is not hit twice in a row.
    /// </summary>
    public int Victim => ((2 * FaultsAt.Count) - 1) % SiloCluster.Size;

    /// <summary>What was done, and after how many seconds of load.</summary>
    public ConcurrentQueue<(double At, string What)> Marks { get; } = [];

    public void Mark(string what) => Marks.Enqueue((Load.Elapsed.TotalSeconds, what));

    public Task WaitAsync(int seconds) => Task.Delay(TimeSpan.FromSeconds(seconds), Cancellation);

    public void Start(int silo)
    {
        Mark($"silo{silo + 1} is started again");
        Cluster.Start(silo, HasPlugin);
    }
}
